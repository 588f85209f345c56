#!/usr/bin/env bats
# pipelines/train: new weights, checkpoints, a curve, a test, and going on.
load helper

setup() {
    T=$(mktemp -d "${TMPDIR:-/tmp}/train.XXXXXX")
    mkdir "$T/a b" && cd "$T/a b" || return
    export PIPE2048_BIN=${BIN:-$root/bin}
    train=$root/pipelines/train
    cp "$fixtures/3x3.net" .
}

teardown() { cd / && rm -rf "$T"; }

learned() { ntuple-info "$1" | sed -n 's/^moves	//p'; }

@test "train makes weights, a curve and a test, in a path with a space" {
    works "$train" --games 50 --every 100000 --live . 3x3.net 300000 "run 1"
    equal files "$(ls "run 1" | xargs)" "checkpoint.w curve.svg curve.tsv test.tsv"
    equal left "$(ls | xargs)" "3x3.net run 1"
    works ntuple-info --verify "run 1/checkpoint.w"
    at_least moves "$(learned "run 1/checkpoint.w")" 300000
    grep -q '^moves	episodes	moves_per_second	mean_score	mean_error$' "run 1/curve.tsv"
    equal games "$(sed -n 's/^episodes	//p' "run 1/test.tsv")" 50
    # Random play scores 550 or so on this board, with this little learning 700.
    at_least score "$(sed -n 's/^mean_score	\([0-9]*\).*/\1/p' "run 1/test.tsv")" 600
}

@test "train goes on where it was killed, and with more moves" {
    "$train" -t 1 --games 10 --every 50000 --live . 3x3.net 100000000 run >/dev/null 2>&1 &
    victim=$!
    for _ in $(seq 500); do
        [ -f run/checkpoint.w ] && [ "$(learned run/checkpoint.w)" -ge 50000 ] && break
        sleep 0.02
    done
    pkill -9 -P $victim || :
    kill -9 $victim || :
    wait $victim || :
    works ntuple-info --verify run/checkpoint.w
    have=$(learned run/checkpoint.w)
    at_least moves "$have" 50000
    works "$train" --games 10 --every 50000 --live . 3x3.net $((have + 40000)) run
    at_least moves "$(learned run/checkpoint.w)" $((have + 40000))
    # Nothing more to learn: the same file stays.
    cp run/checkpoint.w before.w
    works "$train" --games 10 --live . 3x3.net $((have + 40000)) run
    cmp before.w run/checkpoint.w
}

@test "train refuses a folder with another network's weights" {
    works "$train" --games 1 --live . 3x3.net 1000 run
    cp run/checkpoint.w before.w
    refused 1 'run/checkpoint.w: is of another network' "$train" --games 1 --live . "$fixtures/2x3.net" 2000 run
    cmp before.w run/checkpoint.w
    refused 1 'missing.net: No such file' "$train" --games 1 --live . missing.net 2000 other
}
