#!/usr/bin/env bats
# Pipelines that reproduce tables of the papers, with tiny budgets.
load helper

setup_pipelines() { export PIPE2048_BIN=${BIN:-$root/bin} TMPDIR=$T/work; }
vse() { "$root/pipelines/reproduce/vse-mini2048" --moves 3000 --games 20 --jobs 2 "$@"; }

@test "vse-mini2048 makes all rows of the table, and only what is missing" {
    setup_pipelines
    try vse --seeds 1 results
    equal status "$status" 0
    cmp "$T/out" results/table.tsv
    equal lines "$(wc -l <results/table.tsv)" 11
    equal seeds "$(cut -f 4 results/table.tsv | sort -u | tr '\n' ' ')" '1 seeds '
    # The parameters are the paper's but for the one row that net files explain.
    equal others "$(awk -F '\t' '$2 != $7 { print $1 }' results/table.tsv | tr '\n' ' ')" 'network mnt6-4-vse-a '
    equal files "$(find results -type f | wc -l)" 11
    rm results/mnt4-3000-1.tsv
    : >marker
    try vse --seeds 1 results
    equal status "$status" 0
    equal made "$(find results -newer marker -name 'mnt*' | tr '\n' ' ')" 'results/mnt4-3000-1.tsv '
    try vse --seeds 2 results
    equal status "$status" 0
    equal seeds "$(cut -f 4 results/table.tsv | sort -u | tr '\n' ' ')" '2 seeds '
    equal files "$(find results -type f | wc -l)" 21
}

@test "the means of vse-mini2048 are those of its results" {
    setup_pipelines
    mkdir results
    for net in mnt6 mnt6-2-vse-a mnt6-2-vse-b mnt6-2-vse-c mnt6-2-vse-d mnt6-2-vse-e mnt6-3-vse-a \
        mnt6-3-vse-b mnt6-4-vse-a mnt4; do
        for seed in 1 2 3; do
            printf 'mean_score\t%s\nparameters\t1\n' $((4000 + 100 * seed)) >results/$net-3000-$seed.tsv
        done
    done
    works vse --seeds 3 results
    equal row "$(sed -n 2p "$T/out")" "$(printf 'mnt6\t1\t3000\t3\t4200.0\t100.0\t3543122\t4610.2\t81.1\t-5.1')"
}

@test "a run that fails is told, and the others are made" {
    setup_pipelines
    mkdir -p results/mnt6-3000-1
    echo damaged >results/mnt6-3000-1/checkpoint.w
    try vse --seeds 1 results
    equal status "$status" 1
    grep -q -x 'vse-mini2048: mnt6-3000-1: failed' "$T/err" || fail "not told"
    equal lines "$(wc -l <results/table.tsv)" 10
}

@test "a signal ends all runs, and a second call goes on" {
    setup_pipelines
    "$root/pipelines/reproduce/vse-mini2048" --moves 2000000000 --games 20 --jobs 2 --seeds 1 results &
    pid=$!
    for _ in $(seq 100); do
        [ -e results/mnt6-2000000000-1/curve.tsv ] && [ -e results/mnt6-2-vse-a-2000000000-1/curve.tsv ] && break
        sleep 0.1
    done
    # What runs below the pipeline.
    family() { ps -e -o pid= -o ppid= -o comm= | awk -v top=$pid '{ parent[$1] = $2; name[$1] = $3 }
        END { for (p in parent) { for (q = p; q > 1 && q != top; q = parent[q]); if (q == top && p != top) print p } }'; }
    children=$(family)
    [ "$(echo "$children" | wc -l)" -ge 4 ] || fail "few processes: $children"
    kill $pid
    status=0
    wait $pid || status=$?
    equal status "$status" 143
    for _ in $(seq 50); do
        left=''
        for child in $children; do if kill -0 "$child" 2>/dev/null; then left="$left $child"; fi; done
        [ -n "$left" ] || break
        sleep 0.1
    done
    equal left "$left" ''
    [ -e results/mnt6-2000000000-1/checkpoint.w ]
}

@test "misuse is told in one line, with status 2" {
    setup_pipelines
    refused 2 'a directory is needed' vse
    refused 2 "seeds: '0'" vse --seeds 0 results
    refused 2 'more: unexpected operand' vse results more
    works vse --dry-run --seeds 2 results
    equal lines "$(wc -l <"$T/out")" 20
    [ ! -e results ]
}

mastering() { "$root/pipelines/reproduce/mastering" --deep 2 --games 20 --moves 2000 -t 1 --live "$T" "$@"; }

@test "mastering learns, plays greedily and looking ahead, and prints ours beside the paper's" {
    setup_pipelines
    works mastering --table II --only td-1-standard results
    cmp "$T/out" results/table.tsv
    equal row "$(sed -n 2p results/table.tsv | cut -f 1-4,10-)" \
        "$(printf 'II\tTD(0.5)\t2000\t1\t10000000000\t140397\t1974\t234997\t4717\t0.26')"
    awk -F '\t' 'NR == 2 { exit !($5 > 500 && $6 > 0 && $7 > 500) }' results/table.tsv || fail "no scores"
    equal weights "$(find "$T" -maxdepth 1 -name '*.w')" ''
    # The second call finds the result.
    sed -i 's/^score_1	.*/score_1	12345/' results/*-1.tsv
    works mastering --table II --only td-1-standard results
    equal score "$(sed -n 2p results/table.tsv | cut -f 5)" 12345.0
}

@test "mastering knows every row, runs methods of two tables once, and takes budgets" {
    setup_pipelines
    works mastering --dry-run results
    equal methods "$(grep -c '^ntuple-new ' "$T/out")" 25
    equal first "$(grep -c ' -m 2000 ' "$T/out")" 15
    equal later "$(grep -c ' -m 8000 ' "$T/out")" 10
    equal carousel "$(grep -c -e '--start=carousel' "$T/out")" 3
    works mastering --dry-run --table II,IV --only carousel --seeds 2 --deep 0 results
    equal methods "$(grep -c '^ntuple-new ' "$T/out")" 6
    not grep -q expectimax "$T/out"
    refused 2 'no row' mastering --table V results
    refused 2 'a directory is needed' mastering
    [ ! -e results ]
}
