#!/usr/bin/env bats
load helper

# The expected values of fresh games: all, 22, 24, 44.
starts() { awk -F '\t' '$1 == "end" {print $2, $3, $4, $5}' "$1/manifest"; }

@test "threads, memory and the portable code change nothing in the files" {
    works age-enumerate -b 2x4 -d one
    for d in three little plain; do cp -R one $d; done
    works age-backup -d one -t 1
    works age-backup -d three -t 3
    works age-backup -d little --memory 4M
    PIPE2048_CPU=plain works age-backup -d plain
    for d in three little plain; do diff -r one $d || fail "$d differs"; done
    equal value "$(starts one/score)" "2641.873035692248 2642.600311046678 2638.963938744859 2635.327477036408"
}

@test "killed at any moment and started again it makes the same files" {
    works age-enumerate -b 2x4 -d whole
    cp -R whole killed
    works age-backup -d whole
    for _ in 1 2 3 4 5 6; do
        timeout --foreground -s KILL "0.$((RANDOM % 90 + 10))" age-backup -d killed || true
    done
    works age-backup -d killed
    diff -r whole killed || fail "the files differ"
    equal exact "$(find whole killed -name '*.exact')" ""
}

@test "work that was stopped goes on with exact values" {
    works age-enumerate -b 2x3 -d whole
    cp -R whole little
    works age-backup -d whole
    # With little memory every age is committed, so each kill leaves other ones.
    for _ in 1 2 3 4 5 6 7 8; do
        timeout --foreground -s KILL "0.0$((RANDOM % 9 + 1))" age-backup -d little --memory 1M || true
    done
    works age-backup -d little
    diff -r whole little || fail "the files differ"
}

@test "ages that are not all enumerated are refused, but for --horizon" {
    works age-enumerate -b 2x3 -d s --to 60
    refused 1 's: not all ages are enumerated' age-backup -d s
    works age-backup -d s --horizon
    works age-stat -d s --values score-horizon --check --sample 200
    works age-enumerate -d s
    works age-backup -d s
    refused 1 'no horizon' age-backup -d s --horizon
}

@test "a damaged, cut or missing file is refused by its name" {
    works age-enumerate -b 2x3 -d s
    cp -R s good
    printf x | dd of=s/afterstates/00100.ef bs=1 seek=60 conv=notrunc 2>/dev/null
    try age-backup -d s
    equal status "$status" 1
    grep -q 's/afterstates/00100.ef: checksum' "$T/err" || fail "no name"
    truncate -s 100 s/afterstates/00100.ef
    try age-backup -d s
    grep -q 's/afterstates/00100.ef: .*cut short' "$T/err" || fail "no name"
    rm s/afterstates/00100.ef
    try age-backup -d s
    grep -q 's/afterstates/00100.ef: No such file' "$T/err" || fail "no name"
    cp good/afterstates/00100.ef s/afterstates/
    works age-backup -d s
    works age-backup -d good
    diff -r s good || fail "the files differ after repair"
}

@test "a second process on the directory is refused" {
    works age-enumerate -b 2x3 -d s
    exec 9<s/manifest
    flock -x 9
    refused 1 's: another process' age-backup -d s
    exec 9<&-
    works age-backup -d s
    exec 9<s/score/manifest
    flock -x 9
    refused 1 's/score: another process' age-backup -d s
}

@test "objectives and spawns have folders of their own" {
    works age-enumerate -b 2x3 -d s
    works age-backup -d s
    works age-backup -d s --spawn best
    works age-backup -d s --spawn worst
    works age-backup -d s --objective reach:64 --precision 32
    for f in score score-best score-worst reach-64; do
        [ -f s/$f/manifest ] || fail "no $f"
        works age-stat -d s --values $f --check --sample 300
    done
    awk -v a="$(starts s/score | cut -d ' ' -f 1)" -v b="$(starts s/score-best | cut -d ' ' -f 1)" \
        -v w="$(starts s/score-worst | cut -d ' ' -f 1)" -v r="$(starts s/reach-64 | cut -d ' ' -f 1)" \
        'BEGIN {exit !(w < a && a < b && 0 < r && r < 1)}' || fail "values out of order"
    refused 1 'has precision 16, not 20' age-backup -d s --precision 20
}

@test "misuse is explained" {
    refused 2 '-d is needed' age-backup
    refused 2 "objective: 'reach:12'" age-backup -d s --objective reach:12
    refused 2 "objective: 'win'" age-backup -d s --objective win
    refused 2 'spawn' age-backup -d s --spawn middle
    refused 1 'nowhere: no solution' age-backup -d nowhere
}
