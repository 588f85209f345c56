#!/usr/bin/env bats
load helper

sum() { cksum | cut -d ' ' -f 1,2; }

@test "the same command gives the same bytes, in this build as in every other" {
    # Sums of the first release. They change only with the format or the rules.
    while read -r options crc size; do
        # shellcheck disable=SC2086 # several options
        equal "$options" "$(gen-episodes ${options//_/ } | sum)" "$crc $size"
    done <<'END'
-b_1x2_-n_50_-s_7 2146705266 806
-b_2x2_-n_50_-s_7 3471281385 1145
-b_2x5_-n_50_-s_7 2421987545 3032
-b_3x3_-n_50_-s_7 1154834840 2745
-b_4x3_-n_50_-s_7 1836170102 3957
-b_3x4_-n_50_-s_7 1534111981 4320
-b_4x4_-n_50_-s_7 3409585674 6939
-b_1x16_-n_50_-s_7 1521980376 5098
--p4_0.5_-n_100_-s_18446744073709551615 1622841939 10993
-m_5000_-s_3 3805969366 6289
END
}

@test "the number of threads does not change a byte" {
    for limit in "-n 1" "-n 1000" "-m 1" "-m 40000"; do
        for board in 2x2 4x4; do
            # shellcheck disable=SC2086
            want=$(gen-episodes -b $board $limit -t 1 | sum)
            for threads in 0 2 3 4 7 16; do
                # shellcheck disable=SC2086
                equal "$board $limit -t $threads" "$(gen-episodes -b $board $limit -t $threads | sum)" "$want"
            done
        done
    done
    equal "-t 256" "$(gen-episodes -n 10 -t 256 | sum)" "$(gen-episodes -n 10 -t 1 | sum)"
}

@test "the portable code gives the same bytes as the fast paths" {
    for board in 1x2 2x2 2x5 5x2 3x3 4x3 3x4 4x4 1x16 16x1; do
        equal "$board" "$(PIPE2048_CPU=plain gen-episodes -b $board -n 300 | sum)" \
            "$(gen-episodes -b $board -n 300 | sum)"
    done
}

@test "boards of every shape with 2 to 16 cells are played and check out" {
    for rows in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        for cols in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
            [ $((rows * cols)) -ge 2 ] && [ $((rows * cols)) -le 16 ] || continue
            gen-episodes -b ${rows}x$cols -n 20 -t 1 | episode-stat >"$T/stat"
            equal "${rows}x$cols" "$(value episodes "$T/stat")" 20
        done
    done
}

@test "the stream of the manual page is the smallest fixture" {
    gen-episodes -b 1x2 -n 1 -s 2 >made
    cmp made "$fixtures/smallest.ep"
    sed -n '/od -A d -t x1/,/^\.Ed/p' "$root/share/man/man5/episode.5" | grep '^00' >printed
    [ -s printed ]
    od -A d -t x1 made | diff - printed
}

@test "seeds and options default to what --help says" {
    gen-episodes -n 30 >plain
    gen-episodes -b 4x4 -n 30 -s 1 --p4 0.1 -t 0 >explicit
    gen-episodes --board=4x4 --episodes=30 --seed=1 --p4=0.1 --threads=0 --output=- >long
    cmp plain explicit
    cmp plain long
    gen-episodes -n 30 -s 2 >other
    not cmp -s plain other
}

@test "episodes do not depend on how many are asked for" {
    gen-episodes -b 3x3 -n 500 | episode-stat --each >many
    gen-episodes -b 3x3 -n 100 | episode-stat --each >few
    head -n 101 many | cmp - few
}

@test "-m begins no episode after so many moves" {
    for moves in 1 100 1000 20000; do
        gen-episodes -m $moves | episode-stat --each >each
        awk -v limit=$moves 'NR > 1 {if (made >= limit) exit 1; made += $3} END {exit made < limit}' each ||
            fail "-m $moves"
    done
    gen-episodes -m 1000000 -n 3 | episode-stat >stat
    equal episodes "$(value episodes stat)" 3
    gen-episodes -m 1 -n 1000 | episode-stat >stat
    equal episodes "$(value episodes stat)" 1
}

@test "--p4 is how often a 4 appears" {
    gen-episodes -n 20 --p4 0 | episode-text | grep '@' | cut -f 4 >spawns
    [ "$(grep -c '^4' spawns)" = 0 ]
    gen-episodes -n 20 --p4 1 | episode-text | grep '@' | cut -f 4 >spawns
    [ "$(grep -c '^2' spawns)" = 0 ]
    gen-episodes -n 100 --p4 0.5 | episode-text | grep '@' | cut -f 4 |
        awk '/^4/ {fours++} END {share = fours / NR; exit share < 0.45 || share > 0.55}'
}

@test "-o writes what standard output would get, silently" {
    gen-episodes -n 20 >piped
    works gen-episodes -n 20 -o file
    cmp piped file
    [ ! -s "$T/out" ]
    works gen-episodes -n 20 -s 2 -o file
    not cmp -s piped file
    equal files "$(ls)" "$(printf 'file\npiped')"
}

@test "-o to a device writes to it and does not replace it" {
    if null=$(device null 3); then
        works gen-episodes -n 3 -o "$null"
        [ -c "$null" ]
    fi
    mkfifo pipe
    gen-episodes -n 3 -o pipe &
    cat pipe >got
    wait
    [ -p pipe ]
    gen-episodes -n 3 | cmp - got
}

@test "-o through a link replaces the file and keeps the link" {
    mkdir folder
    echo old >folder/target
    ln -s folder/target link
    works gen-episodes -n 3 -o link
    [ -L link ]
    gen-episodes -n 3 | cmp - folder/target
    equal files "$(ls folder)" target
}

@test "-o keeps the permissions of the file it replaces" {
    echo old >file
    chmod 600 file
    works gen-episodes -n 3 -o file
    [ -n "$(find file -perm 600)" ]
}

@test "-v adds one line with the totals" {
    try gen-episodes -n 20 -v -o file
    equal status "$status" 0
    equal lines "$(wc -l <"$T/err" | tr -d ' ')" 1
    grep -q '^gen-episodes: .*episodes=20 moves=[0-9]* .*seconds=' "$T/err" || fail "no totals"
}

@test "misuse is told in one line, with status 2" {
    refused 2 'one of -n and -m' gen-episodes
    refused 2 '-z: unknown' gen-episodes -z
    refused 2 '-z: unknown' gen-episodes --quiet -zq
    refused 2 '--zebra: unknown' gen-episodes --zebra
    refused 2 '--quiet=1: .*no argument' gen-episodes --quiet=1
    refused 2 '-n: needs an argument' gen-episodes -n
    refused 2 '--seed: needs an argument' gen-episodes --seed
    refused 2 'extra: unexpected operand' gen-episodes -n 1 extra
    refused 2 'a\?b: unexpected' gen-episodes -n 1 $'a\nb'
}

@test "numbers out of range are refused by name, with status 2" {
    for bad in 0 -1 +1 x '' ' 1' 1.5 1e3 0x10 18446744073709551616 99999999999999999999; do
        refused 2 "episodes: '.*': " gen-episodes -n "$bad" -o file
        refused 2 "moves: '.*': " gen-episodes -m "$bad" -o file
    done
    for bad in 257 -1 x '' 18446744073709551616; do
        refused 2 "threads: '.*': " gen-episodes -n 1 -t "$bad" -o file
    done
    for bad in -1 x '' 18446744073709551616; do
        refused 2 "seed: '.*': " gen-episodes -n 1 -s "$bad" -o file
    done
    for bad in 1.1 -0.1 x '' nan inf 0x0 0,1 1e9; do
        refused 2 "p4: '.*': " gen-episodes -n 1 --p4 "$bad" -o file
    done
    for bad in 4x5 1x1 0x4 4x0 4 x '' 4x 4x4x4 -4x4 ' 4x4' 17x1 4294967297x4; do
        refused 2 "board: '.*': " gen-episodes -n 1 -b "$bad" -o file
    done
}

@test "a file that cannot be written is named, and nothing is left" {
    refused 1 'missing/file: No such file' gen-episodes -n 1 -o missing/file
    mkdir folder
    refused 1 'folder: is a directory' gen-episodes -n 1 -o folder
    refused 1 'No such file' gen-episodes -n 1 -o ''
    echo >plain
    refused 1 'plain/file: Not a directory' gen-episodes -n 1 -o plain/file
    [ "$(id -u)" != 0 ] || return 0
    chmod 500 folder
    refused 1 'folder/file: Permission denied' gen-episodes -n 1 -o folder/file
}

@test "a full disk is told" {
    [ -c /dev/full ] || skip "there is no /dev/full"
    full() { "$@" >/dev/full; }
    for n in 1 5000; do
        refused 1 'standard output: No space left' full gen-episodes -n $n
    done
    refused 1 'standard output: No space left' full gen-episodes --help
    device=$(device full 7) || return 0
    for n in 1 5000; do
        refused 1 "$device: No space left" gen-episodes -n $n -o "$device"
    done
    [ -c "$device" ]
}

@test "a limit on file sizes is told, the old file stays, nothing else is left" {
    echo old >file
    limited() { (ulimit -f 1 && "$@"); }
    refused 1 'file: File too large' limited gen-episodes -n 1000 -o file
    equal file "$(cat file)" old
}

@test "a closed output is an error" {
    closed() { "$@" >&-; }
    refused 1 'standard output: Bad file' closed gen-episodes -n 1
}

@test "a reader that goes away ends it quietly" {
    { gen-episodes -n 1000000 2>"$T/err" || echo "$?" >"$T/status"; } | head -c 100 >got
    equal bytes "$(wc -c <got | tr -d ' ')" 100
    [ ! -s "$T/err" ] || fail "not quiet"
    equal status "$(cat "$T/status")" 141
}

@test "a reader that goes away ends it quietly even if the parent ignores SIGPIPE" {
    (
        trap '' PIPE
        { gen-episodes -n 1000000 2>"$T/err" || echo "$?" >"$T/status"; } | head -c 100 >got
    )
    [ ! -s "$T/err" ] || fail "not quiet"
    [ -s "$T/status" ]
}

@test "binary output to a terminal is refused" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no script(1) that runs a command"
    export PATH
    script -qec 'gen-episodes -n 1; echo "status $?"' /dev/null </dev/null >"$T/out" 2>&1
    grep -q 'standard output: is a terminal' "$T/out" || fail "not refused"
    grep -q 'status 1' "$T/out" || fail "another status"
    ! grep -q P2EP "$T/out" || fail "binary was written"
    # Only where a broken program could not replace it.
    [ ! -w /dev ] || return 0
    script -qec 'gen-episodes -n 1 -o /dev/tty; echo "status $?"' /dev/null </dev/null >"$T/out" 2>&1
    grep -q 'is a terminal' "$T/out" || fail "/dev/tty is not refused"
}

@test "progress is shown on a terminal only, and not with -q" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no script(1) that runs a command"
    export PATH
    # The slow reader makes it last longer than the first line of progress takes.
    script -qec 'gen-episodes -n 1000000 | (sleep 0.5; head -c 1000000 >/dev/null)' /dev/null \
        </dev/null >"$T/out" 2>&1
    grep -q 'episodes' "$T/out" || fail "no progress"
    script -qec 'gen-episodes -q -n 1000000 | (sleep 0.5; head -c 1000000 >/dev/null)' /dev/null \
        </dev/null >"$T/out" 2>&1
    [ ! -s "$T/out" ] || fail "not quiet"
}

@test "a signal ends it without leaving a temporary, and the old file stays" {
    echo old >file
    # Long enough to be caught at work, short enough not to fill a disk if it is not.
    gen-episodes -t 1 -n 2000000 -o file 2>"$T/err" &
    pid=$!
    for _ in $(seq 200); do
        [ "$(find . -type f | wc -l)" -lt 2 ] || break
        sleep 0.02
    done
    [ "$(find . -type f | wc -l)" -eq 2 ] || fail "no temporary to be seen"
    kill -s TERM $pid
    ended=0
    wait $pid || ended=$?
    equal status "$ended" 143
    equal files "$(ls -A)" file
    equal content "$(cat file)" old
    [ ! -s "$T/err" ] || fail "not quiet"
}

# Weights that know something, in run.w.
learn() {
    ntuple-new "$fixtures/$1.net" --init 50 -o run.w
    gen-episodes -b "$1" -n 300 | ntuple-learn -w run.w
}

@test "-w plays the same games with any number of threads and on any code" {
    for net in 2x3 3x3 4x4; do
        learn $net
        for limit in "-n 1" "-n 3" "-n 200" "-m 5000"; do
            # shellcheck disable=SC2086
            {
                gen-episodes -w run.w $limit -s 5 -t 1 >one
                for threads in 2 3; do gen-episodes -w run.w $limit -s 5 -t $threads | cmp one -; done
                PIPE2048_CPU=plain gen-episodes -w run.w $limit -s 5 | cmp one -
            }
        done
        works ntuple-info --verify run.w
    done
}

@test "-w plays on the board of the weights, and says who plays" {
    learn 2x3
    gen-episodes -w run.w -n 20 >some.ep
    gen-episodes --weights=run.w -b 2x3 -n 20 | cmp some.ep -
    episode-text some.ep >text
    equal board "$(value board text)" 2x3
    equal player "$(value player text)" "greedy n-tuple network"
    works episode-stat some.ep
    gen-episodes -b 2x3 -n 20 | cmp -s some.ep - && fail "random play"
    refused 1 'run.w: is for 2x3 boards, not 3x2' gen-episodes -w run.w -b 3x2 -n 1 -o never
    refused 1 'run.w: is for 2x3 boards, not 4x4' gen-episodes -w run.w -b 4x4 -n 1
}

@test "-w with greedy play by rewards alone scores more than random play" {
    ntuple-new "$fixtures/3x3.net" -o zero.w
    greedy=$(gen-episodes -w zero.w -n 500 | episode-stat | value mean_score /dev/stdin)
    random=$(gen-episodes -b 3x3 -n 500 | episode-stat | value mean_score /dev/stdin)
    awk -v a="$greedy" -v b="$random" 'BEGIN {exit a < 1.2 * b}' || fail "$greedy, random $random"
}

@test "-w of what is no weights file is refused" {
    mkdir folder
    : >empty
    refused 1 'folder: ' gen-episodes -w folder -n 1
    refused 1 'missing: No such file' gen-episodes -w missing -n 1 -o never
    refused 1 'No such file' gen-episodes -w '' -n 1
    refused 1 'empty: not a weights file' gen-episodes -w empty -n 1
    refused 1 'smallest.ep: not a weights file' gen-episodes -w "$fixtures/smallest.ep" -n 1
    refused 1 '3x3.net: not a weights file' gen-episodes -w "$fixtures/3x3.net" -n 1
}

@test "--lockstep needs weights and a pipe" {
    ntuple-new "$fixtures/2x2.net" -o run.w
    piped() { "$@" | cat; }
    refused 2 '--lockstep needs' gen-episodes --lockstep -n 1
    refused 2 '--lockstep needs' gen-episodes --lockstep -w run.w -n 1
    refused 2 '--lockstep needs' gen-episodes --lockstep -w run.w -n 1 -o never
    set -o pipefail
    refused 2 '--lockstep needs' piped gen-episodes --lockstep -n 1
}
