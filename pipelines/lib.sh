# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# What all pipelines share. A pipeline defines help(), reads this file, and
# then parses its options:
#
#   . "$(dirname -- "$(readlink -f -- "$0")")/lib.sh"
#   while [ $# -gt 0 ]; do
#       case $1 in
#       -n | --episodes) argument "$@"; episodes=$2; shift ;;
#       *) common_option "$1" ;;
#       esac
#       shift
#   done
#   programs gen-episodes episode-stat
#
# Status: 0 done, 1 failed, 2 misused, as for the programs.

set -eu

name=$(basename -- "$0")
here=$(dirname -- "$(readlink -f -- "$0")")
here=${here%/reproduce} # the folder of the pipelines, for those below it too
dry_run=0

die() {
    printf '%s: %s\n' "$name" "$*" >&2
    exit 1
}

misuse() {
    printf '%s: %s (see %s --help)\n' "$name" "$*" "$name" >&2
    exit 2
}

# Options that every pipeline has, and all wrong ones.
common_option() {
    case $1 in
    -h | --help) help; exit 0 ;;
    --dry-run) dry_run=1 ;;
    -*) misuse "$1: unknown option" ;;
    *) misuse "$1: unexpected operand" ;;
    esac
}

# argument "$@": ends with a message unless the first option has an argument.
argument() {
    [ $# -ge 2 ] || misuse "$1: needs an argument"
}

# number OPTION TEXT: ends with a message unless TEXT is a number above 0.
number() {
    case $2 in
    '' | *[!0-9]* | 0*) misuse "$1: '$2': not a whole number above 0" ;;
    esac
}

# programs NAME...: puts the folder with the programs in front of PATH, so that
# lines of a pipeline read as a person would type them. The folder is that of
# PIPE2048_BIN, else of the source tree, else of the installation.
programs() {
    bin=${PIPE2048_BIN:-}
    for place in "$here/../bin" "$here/../../../bin"; do
        [ -n "$bin" ] || [ ! -x "$place/$1" ] || bin=$place
    done
    [ -n "$bin" ] || die "$1: program not found (run make first)"
    [ -d "$bin" ] || die "$bin: no folder with programs"
    bin=$(CDPATH='' cd -- "$bin" && pwd)
    case $bin in
    *:*) die "$bin: a folder with : in its name cannot be searched for programs" ;;
    esac
    for program; do
        [ -x "$bin/$program" ] || die "$bin/$program: program not found (run make first)"
    done
    PATH=$bin:$PATH
}

# Goes to a new temporary folder that vanishes at the end. Files are then named
# without a folder, and every line that run shows can be typed again.
temporary_folder() {
    folder=$(mktemp -d "${TMPDIR:-/tmp}/pipe2048.XXXXXX") || die "no temporary folder"
    trap 'cd / && rm -rf -- "$folder"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    cd -- "$folder"
}

say() {
    printf '%s\n' "$*"
}

# run LINE: shows a line of shell and runs it; with --dry-run only shows it.
# As for the programs, a reader that goes away (SIGPIPE, 141) is no failure.
run() {
    printf '$ %s\n' "$1"
    [ $dry_run = 0 ] || return 0
    eval "$1" || {
        [ $? = 141 ] && exit 141
        die "the line above failed"
    }
}
