#!/usr/bin/env bats
# ntuple-fold and ntuple-merge.
load helper

# Weights of a network with small tuples in larger ones, a stage and splits.
learned() {
    cat >redundant.net <<'END'
# Corners and rows.
board 3x3
values 11
stages 128
split 1-5 6-10
tuple 0 1 3 4
tuple 0 1 2 5
tuple 0 1 2 # a row
tuple 4 5
tuple 3 4 5
END
    ntuple-new redundant.net --init 300 -o run.w
    gen-episodes -w run.w -n 3000 | ntuple-learn -w run.w --rule tc "$@"
}

# The values of the boards of some games agree to the rounding of a half.
same_values() {
    gen-episodes -w "$1" -n 60 -s 9 >some.ep
    ntuple-eval -w "$1" some.ep | cut -f 1,2 >before
    ntuple-eval -w "$2" some.ep | cut -f 1,2 >after
    paste before after | awk -F '\t' 'NR > 1 {
            n++
            d = $2 - $4
            if ($1 != $3 || d * d > (0.002 * $2 + 0.5) ^ 2) { print; exit 1 }
        }
        END { if (n < 4000) { print n " boards"; exit 1 } }' || fail "values differ"
}

@test "folded weights have fewer tuples and give thousands of boards the values that they had" {
    learned
    works ntuple-fold run.w -o folded.w
    [ ! -s "$T/out" ]
    same_values run.w folded.w
    works ntuple-info run.w
    cp "$T/out" before
    works ntuple-info --verify folded.w
    equal tuples "$(value tuples before) $(value tuples)" '5 3'
    equal features "$(value features before) $(value features)" '80 48'
    equal accumulators "$(value accumulators)" none
    for key in moves episodes init board values stages splits; do
        equal $key "$(value $key)" "$(value $key before)"
    done
    grep -v -x -e 'tuple 0 1 2 # a row' -e 'tuple 4 5' redundant.net >wanted.net
    works ntuple-info --net folded.w
    cmp wanted.net "$T/out"
}

@test "folding again changes nothing, and says how much there was" {
    learned
    try ntuple-fold -v run.w -o folded.w
    grep -q 'tuples=5 folded=2 features=48 ' "$T/err" || fail "no summary"
    try ntuple-fold -v folded.w -o again.w
    grep -q 'tuples=3 folded=0 features=48 ' "$T/err" || fail "no summary"
    cmp folded.w again.w
}

@test "promoted weights are folded and averaged as what they stand for" {
    learned --promote
    cp run.w promoted.w
    works ntuple-fold run.w -o folded.w
    same_values run.w folded.w
    works ntuple-merge promoted.w run.w -o mean.w
    same_values run.w mean.w
    for file in folded.w mean.w; do
        works ntuple-info --verify $file
        equal promoted "$(value promoted)" no
    done
    # Nor can it be promoted later: these are weights that were learned.
    gen-episodes -b 3x3 -n 1 >one.ep
    cp folded.w same.w
    try ntuple-learn -w folded.w --promote one.ep
    equal status "$status" 1
    cmp folded.w same.w
}

@test "a folded player plays as well" {
    learned
    ntuple-fold run.w -o folded.w
    for file in run.w folded.w; do
        gen-episodes -w $file -n 1000 -s 3 | episode-stat >$file.tsv
    done
    awk -v a="$(value mean_score run.w.tsv)" -v b="$(value mean_score folded.w.tsv)" \
        'BEGIN { exit !(a > 0 && b / a > 0.9 && b / a < 1.1) }' || fail "plays differently"
}

@test "a mean of files has the mean of their values, and all their moves" {
    printf 'board 2x3\nvalues 9\nstages 32\ntuple 0 1 2 3\ntuple 1 2\n' >small.net
    printf '# The same.\nboard 2x3\n\nvalues  9\nstages 32\ntuple 0 1  2 3\ntuple 1 2' >other.net
    for i in 1 2 3; do
        if [ $i = 3 ]; then net=other.net; else net=small.net; fi
        ntuple-new $net -o $i.w
        gen-episodes -w $i.w -n 500 -s $i | ntuple-learn -w $i.w
    done
    try ntuple-merge -v 1.w 2.w 3.w -o mean.w
    equal status "$status" 0
    grep -q 'files=3 ' "$T/err"
    gen-episodes -b 2x3 -n 200 >some.ep
    for file in 1 2 3 mean; do ntuple-eval -w $file.w some.ep | cut -f 2 >$file.values; done
    paste 1.values 2.values 3.values mean.values | awk -F '\t' 'NR > 1 {
            d = ($1 + $2 + $3) / 3 - $4
            if (d * d > 0.25) { print; exit 1 }
        }' || fail "no mean"
    moves=0
    for i in 1 2 3; do
        works ntuple-info $i.w
        moves=$((moves + $(value moves)))
    done
    works ntuple-info --verify mean.w
    equal moves "$(value moves)" $moves
    equal episodes "$(value episodes)" 1500
    works ntuple-info --net mean.w
    cmp small.net "$T/out"
    # A file may be one of those that are read.
    works ntuple-merge 1.w 2.w 3.w -o 3.w
    cmp mean.w 3.w
}

@test "files of different networks are refused" {
    printf 'board 2x3\nvalues 9\ntuple 0 1 2\n' >a.net
    ntuple-new a.net -o a.w
    for other in 'board 2x3 values 8 tuple@0@1@2' 'board 3x2 values 9 tuple@0@1@2' \
        'board 2x3 values 9 tuple@0@2@1' 'board 2x3 values 9 tuple@0@1@2 tuple@0' \
        'board 2x3 values 9 tuple@0@1@2 stages@32' 'board 2x3 values 9 split@1-4@5-8 tuple@0@1@2'; do
        echo "$other" | sed 's/ \(values\|tuple\|stages\|split\)/\n\1/g; s/@/ /g' >b.net
        ntuple-new b.net -o b.w
        refused 1 'b.w: has another network than a.w' ntuple-merge a.w a.w b.w -o never.w
    done
}

@test "what is no weights file is refused and leaves no file" {
    learned
    head -c 5000 run.w >short.w
    for command in ntuple-fold 'ntuple-merge run.w'; do
        refused 1 'short.w: cut short' $command short.w -o never.w
        refused 1 'redundant.net: not a weights file' $command redundant.net -o never.w
        refused 1 'missing.w: No such file' $command missing.w -o never.w
    done
}

@test "misuse is told in one line, with status 2" {
    refused 2 'a weights file is needed' ntuple-fold -o never.w
    refused 2 '-o FILE is needed' ntuple-fold some.w
    refused 2 'weights files are needed' ntuple-merge -o never.w
    refused 2 '-o FILE is needed' ntuple-merge some.w other.w
}
