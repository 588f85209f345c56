#!/usr/bin/env bats
# What every command has in common.
load helper

commands() { ls "${BIN:-$root/bin}"; }

# The long options that --help lists.
options() { "$1" --help | sed -n '/^Options:/,/^$/s/^  .\{4\}--\([a-z0-9-]*\).*/\1/p'; }

@test "--help goes to standard output with purpose, usage, options and an example" {
    [ -n "$(commands)" ]
    for command in $(commands); do
        works "$command" --help
        cp "$T/out" help
        works "$command" -h
        cmp help "$T/out"
        head -n 1 help | grep -q "^$command - " || fail "$command: no purpose"
        grep -q "^Usage: $command " help || fail "$command: no usage"
        grep -q '^Example:' help || fail "$command: no example"
        grep -q -e '-h, --help' help || fail "$command: no --help"
        grep -q -e '-V, --version' help || fail "$command: no --version"
    done
}

@test "--help names every option that the command takes" {
    for command in $(commands); do
        [ "$(options "$command" | wc -l)" -ge 3 ] || fail "$command: few options"
        source=$root/src/cmd/$command.c
        for name in $(sed -n 's/.*\.name = "\([a-z0-9-]*\)", \(\.arg\|\.kind\).*/\1/p' "$source"); do
            options "$command" | grep -q -x -e "$name" || fail "$command: --$name is not in --help"
        done
    done
}

@test "the example of --help works" {
    for command in $(commands); do
        "$command" --help | sed -n '/^Example:/{n;s/^  //p;}' | grep -q "^.*$command" || fail "$command"
    done
    for command in gen-episodes episode-stat episode-text; do
        example=$("$command" --help | sed -n '/^Example:/{n;s/^  //p;}')
        works bash -c "set -o pipefail; $example"
        [ -s "$T/out" ] || fail "$example"
    done
}

@test "-V prints name and version" {
    for command in $(commands); do
        works "$command" -V
        grep -q -x -E "$command \(pipe2048\) [0-9]+\.[0-9]+\.[0-9]+" "$T/out" || fail "$command"
        cp "$T/out" version
        works "$command" --version
        cmp version "$T/out"
    done
}

@test "unknown options and too many operands are misuse, with status 2" {
    for command in $(commands); do
        refused 2 '--no-such-option: .*see .* --help' "$command" --no-such-option
        refused 2 '-@: .*see .* --help' "$command" -@
        # which takes any number of files
        [ "$command" = ntuple-merge ] || refused 2 'unexpected operand' "$command" a b c d e f g h i j k l
    done
}

@test "every command has a manual page that names every option" {
    for command in $(commands); do
        page=$root/share/man/man1/$command.1
        [ -f "$page" ] || fail "$command has no manual page"
        sed 's/[\\]//g' "$page" >text
        for option in $(options "$command"); do
            grep -q -E -e "-$option( |,|\$)" text || fail "$command.1: no --$option"
        done
        grep -q -i 'exit status' text || fail "$command.1: no exit status"
    done
}

@test "manual pages are free of errors" {
    command -v mandoc >/dev/null || skip "mandoc is missing"
    mandoc -T lint -W error "$root"/share/man/man*/*
}
