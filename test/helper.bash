# Loaded by every test file. Each test runs in an empty folder of its own that
# is removed afterwards; what it prints on the way goes to $T/out and $T/err.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # status is for the tests

root=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
fixtures=$root/test/fixtures
units=${BUILD:-$root/.build/default}/unit
PATH=${BIN:-$root/bin}:$PATH

setup() {
    # Versions of bats before 1.4 have no folder for a test.
    T=${BATS_TEST_TMPDIR:-$(mktemp -d)}
    mkdir "$T/work"
    cd "$T/work" || return
}

teardown() {
    cd / || return
    rm -rf "$T"
}

# Runs a command; its status is in $status, its output in $T/out and $T/err.
try() {
    status=0
    "$@" >"$T/out" 2>"$T/err" || status=$?
}

fail() {
    echo "$*"
    for f in out err; do
        if [ -f "$T/$f" ]; then echo "-- $f:" && head -c 2000 "$T/$f" | cat -v; fi
    done
    return 1
}

# The command succeeds without a word on standard error.
works() {
    try "$@"
    [ "$status" = 0 ] || fail "status $status: $*" || return
    [ ! -s "$T/err" ] || fail "not silent: $*"
}

# Names and contents of all files in the present folder.
snapshot() { find . -type f -exec cksum {} + | sort; }

# refused STATUS PATTERN COMMAND...: it ends with that status, prints nothing,
# explains itself in one line `command: ...` that matches the pattern, and
# leaves the present folder as it was.
refused() {
    local want=$1 pattern=$2 before
    shift 2
    before=$(snapshot)
    try "$@"
    [ "$status" = "$want" ] || fail "status $status, expected $want: $*" || return
    [ ! -s "$T/out" ] || fail "output in spite of the error: $*" || return
    [ "$(wc -l <"$T/err")" -eq 1 ] || fail "not one line of explanation: $*" || return
    grep -q -E "^[a-z0-9-]+: .*($pattern)" "$T/err" || fail "no '$pattern' in the explanation: $*" || return
    [ "$(snapshot)" = "$before" ] || fail "files were changed: $*"
}

# The command fails. (A plain ! does not end a test.)
not() { if "$@"; then return 1; fi; }

# device NAME MINOR: prints the name of a device for -o that a broken program
# cannot harm. Whoever may replace /dev/NAME gets a node of the test's own
# folder instead; where that cannot be made there is none (status 1).
device() {
    if [ ! -w /dev ]; then
        [ -c "/dev/$1" ] && echo "/dev/$1"
    else
        mknod "$1" c 1 "$2" 2>/dev/null && { : >"$1"; } 2>/dev/null && echo "$1"
    fi
}

# The value of a key in the output of episode-stat.
value() { awk -F '\t' -v key="$1" '$1 == key {print $2}' "${2:-$T/out}"; }

# equal WHAT GOT WANTED
equal() { [ "$2" = "$3" ] || fail "$1: $2, expected $3"; }

# at_least WHAT GOT LEAST
at_least() { awk -v a="$2" -v b="$3" 'BEGIN {exit a < b}' || fail "$1: $2, less than $3"; }

# examples PAGE: runs the lines of a manual page that begin with "$ " in its
# literal displays, in order, in the present folder. A stage whose reader has
# seen enough (141) has not failed.
examples() {
    local line n=0
    while IFS= read -r line; do
        n=$((n + 1))
        try bash -c "set -o pipefail; $line"
        [ "$status" = 0 ] || [ "$status" = 141 ] || fail "$1: status $status: $line" || return
    done < <(sed -n '/^\.Bd -literal/,/^\.Ed/s/^\$ //p' "$root/share/man/$1")
    [ "$n" -gt 0 ] || fail "$1: no examples"
}

# The file is well-formed XML, and an SVG picture without scripts, ids or links.
picture() {
    "$units/xml" standard-input <"$1" || fail "$1: not well-formed" || return
    head -n 1 "$1" | grep -q '^<svg xmlns="http://www.w3.org/2000/svg" .*viewBox="0 0 [0-9]* [0-9]*".*role="img">$' ||
        fail "$1: no SVG" || return
    sed -n 2p "$1" | grep -q '^<title>..*</title>$' || fail "$1: no title" || return
    sed -n 3p "$1" | grep -q '^<desc>..*</desc>$' || fail "$1: no description" || return
    grep -q 'prefers-color-scheme:dark' "$1" || fail "$1: not for dark pages" || return
    not grep -q -E ' id=|<script|href|url\(|nan|inf[^o]' "$1" || fail "$1: has what it should not"
}
