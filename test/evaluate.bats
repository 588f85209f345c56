#!/usr/bin/env bats
# The pipeline evaluate.
load helper

setup_file() { export PIPE2048_BIN=${BIN:-}; }

evaluate() { "$root/pipelines/evaluate" "$@"; }

# Weights that know something, in run.w.
learn() {
    ntuple-new "$fixtures/$1.net" --init 50 -o run.w
    gen-episodes -b "$1" -n 300 | ntuple-learn -w run.w
}

# A table without its speeds, which differ from run to run.
scores() { cut -f 1-7; }

@test "a table has a row a limit, with what its games come to" {
    learn 3x3
    works evaluate -n 30 --rows "1ply 2ply 1ms:3" run.w results
    equal header "$(head -n 1 "$T/out")" \
        "$(printf 'limit\tmean_score\tci95\treach_32768\treach_16384\treach_8192\tgames\tmoves_per_second')"
    equal rows "$(cut -f 1,7 "$T/out" | sed 1d | xargs)" "1ply 30 2ply 30 1ms 3"
    cmp "$T/out" results/table.tsv
    cat results/2ply/*.ep | episode-stat >stat
    awk -v mean="$(value mean_score stat)" -v ci="$(value ci95_score stat)" \
        '$1 == "2ply" {exit !($2 == sprintf("%.0f", mean) && $3 == sprintf("%.0f", ci))}' results/table.tsv || fail "score"
    awk 'NR > 1 && !($8 > 0) {exit 1}' results/table.tsv || fail "no speed"
    awk '$1 == "2ply" {a = $2} $1 == "1ply" {b = $2} END {exit !(a > b)}' results/table.tsv || fail "not deeper"
    cmp results/2ply.tsv <(grep '^2ply' results/table.tsv)
}

@test "what is there is not played again, and what is missing is" {
    learn 3x3
    evaluate -n 30 --rows "1ply 2ply" run.w results >first
    touch -d '2001-01-01' results/*/*.ep
    works evaluate -n 30 --rows "1ply 2ply" run.w results
    cmp first "$T/out"
    equal played "$(find results -name '*.ep' -newermt 2002-01-01)" ""
    works evaluate -n 60 --rows "1ply 2ply 3ply:2" run.w results
    equal games "$(cut -f 7 "$T/out" | xargs)" "games 60 60 2"
    equal kept "$(find results -name '*.ep' ! -newermt 2002-01-01)" results/2ply/1.ep
    # As if all had been played at once.
    evaluate -n 60 --rows "1ply 2ply 3ply:2" run.w whole | scores | cmp - <(scores <"$T/out")
    # With fewer games, files that are not needed are left out.
    works evaluate -n 25 --rows 2ply run.w results
    equal games "$(tail -n 1 "$T/out" | cut -f 7)" 25
}

@test "killed at random moments it still comes to the same table" {
    learn 3x3
    evaluate -n 60 --rows "2ply 3ply" -t 2 run.w whole | scores >want
    for _ in 1 2 3 4; do
        setsid "$root/pipelines/evaluate" -n 60 --rows "2ply 3ply" -t 2 run.w killed >/dev/null 2>&1 &
        pid=$!
        sleep "0.$((RANDOM % 4 + 1))"
        kill -KILL -- -$pid 2>/dev/null || true
        wait $pid || true
    done
    works evaluate -n 60 --rows "2ply 3ply" -t 2 run.w killed
    scores <"$T/out" | cmp want -
}

@test "an interrupt ends it, and it goes on later" {
    learn 4x4
    setsid "$root/pipelines/evaluate" -n 3 --rows "1ply 15ply" run.w results >out 2>err &
    pid=$!
    for _ in $(seq 500); do
        [ ! -f results/1ply.tsv ] || break
        sleep 0.02
    done
    sleep 0.3
    kill -TERM -- -$pid
    sleep 0.3
    kill -TERM -- -$pid 2>/dev/null || true
    ended=0
    wait $pid || ended=$?
    [ $ended -gt 128 ] || fail "status $ended"
    [ ! -s out ] || fail "a table"
    works evaluate -n 3 --rows 1ply run.w results
}

@test "games of another player are not mixed in" {
    learn 2x3
    evaluate -n 5 --rows 2ply run.w results >/dev/null
    refused 1 'results: has games of another' evaluate -n 5 --rows 2ply -s 2 run.w results
    refused 1 'results: has games of another' evaluate -n 5 --rows 2ply --search "--downgrade 32" run.w results
    gen-episodes -w run.w -n 10 | ntuple-learn -w run.w
    refused 1 'results: has games of another' evaluate -n 5 --rows 2ply run.w results
}

@test "solved boards, other folders, spaces and options of the search" {
    age-enumerate -b 2x3 -d 'a b'
    age-backup -d 'a b'
    mkdir -p 'c d/e'
    (cd 'c d/e' && works evaluate -n 10 --rows "1ply 3ply" '../../a b' 'f g' && [ -f 'f g/table.tsv' ])
    learn 3x3
    works evaluate -n 3 --rows 2ply --search "--downgrade 64 --limit 5-:1" run.w other
    works episode-text other/2ply/1.ep
    equal player "$(value player)" "expectimax, n-tuple network, 2-ply, downgrade 64, limit 5-:1"
}

@test "--dry-run shows lines that can be typed" {
    learn 2x3
    works evaluate --dry-run -n 30 --rows "2ply 5ms:1" run.w 'a b'
    equal lines "$(wc -l <"$T/out" | tr -d ' ')" 3
    [ ! -e 'a b' ]
    mkdir -p 'a b/2ply' 'a b/5ms'
    sed -n 's/^\$ //p' "$T/out" >lines
    bash -e lines 2>/dev/null
    cat 'a b/2ply/1.ep' 'a b/2ply/2.ep' | episode-stat >stat
    equal episodes "$(value episodes stat)" 30
}

@test "what is wrong is told in one line" {
    learn 2x3
    refused 2 'weights and a directory are needed' evaluate run.w
    refused 2 'unexpected operand' evaluate run.w a b
    for bad in ply 0ply xply 2plies 3 10s 2ply:0 2ply:x; do
        refused 2 '--rows: ' evaluate --rows "$bad" run.w results
    done
    refused 2 '-n: .*not a whole number' evaluate -n 0 run.w results
    refused 1 'missing: cannot be read' evaluate missing results
    try evaluate -n 1 --rows 2ply --search "--no-such" run.w results
    equal status "$status" 1
    grep -q 'no-such: unknown option' "$T/err" || fail "no reason"
}
