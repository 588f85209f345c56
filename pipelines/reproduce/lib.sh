# shellcheck shell=sh disable=SC2154 # directory
# SPDX-License-Identifier: MIT
# What pipelines that reproduce a table share: many runs, several at a time, a
# result file each, so that a second call makes what is missing. A pipeline
# defines help(), reads this file, and defines
#
#   directory where results are
#   one RUN   makes $directory/RUN.tsv, lines with a tab between key and value;
#             lines of shell that take long go through in_front
#
# shellcheck source=SCRIPTDIR/../lib.sh disable=SC1091
. "$(dirname -- "$(readlink -f -- "$0")")/../lib.sh"

# The folder of the networks, in the source tree or after an installation.
networks=$here/../share/networks
[ -d "$networks" ] || networks=$here/../networks
networks=$(CDPATH='' cd -- "$networks" && pwd) || die "$networks: no networks"

# in_front LINE: runs a line of shell so that a signal ends it at once. A shell
# that runs it in the ordinary way would see the signal only afterwards. Of a
# pipe the last program is ended; the others find that nobody reads.
in_front() {
    child=''
    trap '[ -z "$child" ] || kill "$child" 2>/dev/null' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    eval "$1 &"
    child=$!
    front=0
    wait "$child" || front=$?
    child=''
    return $front
}

# Makes the runs N, N + JOBS, ... of the list that have no result yet.
worker() {
    at=0 failed=0
    for run in $3; do
        at=$((at + 1))
        if [ $((at % $2)) = "$1" ] && [ ! -e "$directory/$run.tsv" ]; then
            one "$run" || {
                printf '%s: %s: failed\n' "$name" "$run" >&2
                failed=1
            }
        fi
    done
    return $failed
}

# all_runs JOBS RUN...: calls one for each, so many at a time. Status 1 if some
# run failed; the others are made all the same.
all_runs() {
    jobs=$1 workers=''
    shift
    trap 'kill $workers 2>/dev/null' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    i=0
    while [ $i -lt "$jobs" ]; do
        worker $i "$jobs" "$*" &
        workers="$workers $!"
        i=$((i + 1))
    done
    some=0
    for pid in $workers; do wait "$pid" || some=1; done
    trap - EXIT
    return $some
}

# means KEY FILE...: how many values, their mean and their deviation.
means() {
    key=$1
    shift
    cat -- "$@" | awk -F '\t' -v key="$key" '$1 == key { n++; sum += $2; square += $2 * $2 }
        END {
            mean = n ? sum / n : 0
            left = n > 1 ? (square - n * mean * mean) / (n - 1) : 0
            deviation = "-"
            if (n > 1) deviation = sprintf("%.1f", sqrt(left > 0 ? left : 0))
            if (n) printf "%d\t%.1f\t%s\n", n, mean, deviation
            else printf "0\t-\t-\n"
        }'
}
