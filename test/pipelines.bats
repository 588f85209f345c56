#!/usr/bin/env bats
load helper

setup_pipelines() { export PIPE2048_BIN=${BIN:-$root/bin} TMPDIR=$T/work; }

@test "the demo runs, shows what it runs, and leaves nothing behind" {
    setup_pipelines
    try "$root/pipelines/demo" -n 200
    equal status "$status" 0
    grep -q '^\$ gen-episodes ' "$T/out" || fail "no line to type"
    grep -q -x same "$T/out" || fail "not the same bytes"
    grep -q -x refused "$T/out" || fail "not refused"
    equal left "$(ls -A)" ""
}

@test "every pipeline has --help and --dry-run, and refuses what it does not know" {
    setup_pipelines
    for pipeline in "$root"/pipelines/* "$root"/pipelines/reproduce/*; do
        [ -f "$pipeline" ] && [ -x "$pipeline" ] || continue
        works "$pipeline" --help
        grep -q '^Usage: ' "$T/out" || fail "$pipeline: no usage"
        # Pipelines with operands say which are missing.
        try "$pipeline" --dry-run
        [ "$status" = 0 ] || refused 2 'needed' "$pipeline" --dry-run
        refused 2 '--no-such-option: unknown' "$pipeline" --no-such-option
        equal left "$(ls -A)" ""
    done
}

@test "train and solve leave pictures beside their tables, in a folder with a space" {
    setup_pipelines
    works "$root/pipelines/train" --games 20 --live . "$fixtures/2x3.net" 20000 'a run'
    picture 'a run/curve.svg'
    grep -q '<desc>Line chart of mean score' 'a run/curve.svg' || fail "another chart"
    # Run again it learns nothing and draws the same.
    cp 'a run/curve.svg' before
    works "$root/pipelines/train" --games 20 --live . "$fixtures/2x3.net" 20000 'a run'
    cmp before 'a run/curve.svg'
    works "$root/pipelines/solve" 2x2 'a solution'
    picture 'a solution/ages.svg'
    grep -q '<desc>Line chart of states and afterstates' 'a solution/ages.svg' || fail "another chart"
}
