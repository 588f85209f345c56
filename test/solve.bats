#!/usr/bin/env bats
# The pipelines solve and verify-solution.
load helper

setup_file() { export PIPE2048_BIN=${BIN:-}; }

@test "solve prints counts, values, bytes and seconds" {
    works "$root/pipelines/solve" 2x3 s
    equal keys "$(cut -f 1 "$T/out" | xargs)" "states afterstates terminal value value_22 value_24 value_44 bytes seconds"
    equal states "$(value states)" 21752
    equal value "$(value value)" 480.25827177595846
    cp "$T/out" first
    works "$root/pipelines/solve" 2x3 s
    sed /seconds/d first >a
    sed /seconds/d "$T/out" | cmp - a
}

@test "3x3 has the published numbers" {
    works "$root/pipelines/solve" 3x3 s
    equal states "$(value states)" 48713519
    equal afterstates "$(value afterstates)" 31431374
    equal terminal "$(value terminal)" 7388502
    for pair in value:5468.49 value_22:5469.2141 value_24:5465.5777 value_44:5461.9413; do
        digits=${pair##*.}
        equal "${pair%:*}" "$(printf "%.${#digits}f" "$(value "${pair%:*}")")" "${pair#*:}"
    done
    awk -v b="$(value bytes)" 'BEGIN {exit !(b < 31431374 * (7.5 / 8 + 3))}' || fail "$(value bytes) bytes"
    # Perfect play scores that much (within four standard errors) and loses nothing.
    works gen-episodes -w s -n 300 -o games.ep
    equal lost "$(age-query -d s --episodes --summary games.ep | awk '$1 == "all" {print $3, $4, $5, $6}')" "0 1 0 0"
    episode-stat games.ep >stat
    awk -v mean="$(value mean_score stat)" -v dev="$(value stddev_score stat)" 'BEGIN {
        off = (mean - 5468.49) / (dev / sqrt(300)); exit !(off > -4 && off < 4) }' ||
        fail "mean $(value mean_score stat)"
}

@test "killed at random moments solve still makes the same files" {
    works "$root/pipelines/solve" 2x3 whole
    for _ in 1 2 3 4 5; do
        setsid "$root/pipelines/solve" 2x3 killed >/dev/null 2>&1 &
        pid=$!
        sleep "0.0$((RANDOM % 9 + 1))"
        kill -KILL -- -$pid 2>/dev/null || true
        wait $pid || true
    done
    works "$root/pipelines/solve" 2x3 killed
    diff -r whole killed || fail "the files differ"
}

@test "a board that does not fit the disk is refused in advance" {
    refused 1 '3x4: needs about [0-9]+ MB' "$root/pipelines/solve" 3x4 s
    refused 1 'more than 14 cells' "$root/pipelines/solve" 4x4 s
}

@test "verify-solution accepts a solution and names what is damaged" {
    "$root/pipelines/solve" 2x3 s >/dev/null
    works "$root/pipelines/verify-solution" -n 1000 s
    equal files "$(value afterstates_files) $(value values_files)" "125 125"
    printf x | dd of=s/score/00100.val bs=1 seek=60 conv=notrunc 2>/dev/null
    try "$root/pipelines/verify-solution" s
    equal status "$status" 1
    grep -q 's/score/00100.val' "$T/err" || fail "not named"
}

@test "misuse is explained" {
    refused 2 'needed' "$root/pipelines/solve" 2x3
    refused 2 'not a board' "$root/pipelines/solve" big s
    refused 2 'unexpected operand' "$root/pipelines/verify-solution" a b
    refused 2 'unknown option' "$root/pipelines/solve" --fast 2x3 s
}
