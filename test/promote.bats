#!/usr/bin/env bats
# ntuple-learn --promote through the commands.
load helper

# A board that random games bring to the second and third stage often.
network() {
    printf 'board 2x3\nvalues 9\nstages 16 32\ntuple 0 1 2\ntuple 1 2 4 5\n' >staged.net
    grep -v stages staged.net >plain.net
    ntuple-new staged.net --init 40 -o run.w
}

values() { ntuple-eval -w "$1" "$2" | cut -f 1,2; }

# Games that end before a tile of 16, so that they are in the first stage.
first_stage() {
    gen-episodes -b 2x3 -n 3000 -s 1 -o all.ep
    episode-stat --each all.ep | awk -F '\t' 'NR > 1 && $4 < 16 { print $1 + 1 }' >which
    [ "$(wc -l <which)" -gt 20 ] || fail "few games"
    for i in $(head -n 20 which); do
        episode-text --episode "$i" all.ep | episode-text -r
    done >first.ep
}

@test "stages that have learned nothing are worth what the stage before is, only with --promote" {
    network
    cp run.w without.w
    first_stage
    ntuple-learn -w run.w --promote --rate 1 first.ep
    ntuple-learn -w without.w --rate 1 first.ep
    ntuple-new plain.net --init 40 -o plain.w
    ntuple-learn -w plain.w --rate 1 first.ep
    echo 32,16,2/4,2,0 >later
    equal promoted "$(values run.w later)" "$(values plain.w later)"
    equal without "$(values without.w later | tail -n 1 | cut -f 2)" 40
    not [ "$(values run.w later)" = "$(values without.w later)" ]
    works ntuple-info --verify run.w
    equal promoted "$(value promoted)" yes
    works ntuple-info --verify without.w
    equal promoted "$(value promoted)" no
}

@test "the learner goes on without the option, and ends with the same weights" {
    network
    cp run.w twice.w
    gen-episodes -b 2x3 -n 400 -s 1 -o a.ep
    gen-episodes -b 2x3 -n 400 -s 2 -o b.ep
    cat a.ep b.ep | ntuple-learn -w run.w --rule tc --promote
    ntuple-learn -w twice.w --rule tc --promote a.ep
    ntuple-learn -w twice.w --rule tc b.ep
    cmp run.w twice.w
    # Nor does the option start it anew.
    ntuple-learn -w run.w --rule tc a.ep
    ntuple-learn -w twice.w --rule tc --promote a.ep
    cmp run.w twice.w
    # The portable code learns the same.
    ntuple-new staged.net --init 40 -o plain.w
    for file in a b a; do PIPE2048_CPU=plain ntuple-learn -w plain.w --rule tc --promote $file.ep; done
    cmp run.w plain.w
}

@test "what was learned without promotion is not promoted" {
    network
    gen-episodes -b 2x3 -n 100 -o some.ep
    ntuple-learn -w run.w some.ep
    refused 1 'run.w: something was learned without promotion' ntuple-learn -w run.w --promote some.ep
    works ntuple-info --verify run.w
    equal promoted "$(value promoted)" no
    equal episodes "$(value episodes)" 100
}

@test "two learners may promote at once" {
    network
    gen-episodes -b 2x3 -n 3000 -s 1 -o a.ep
    gen-episodes -b 2x3 -n 3000 -s 2 -o b.ep
    for _ in 1 2 3 4 5; do
        ntuple-new staged.net --init 40 -o run.w
        ntuple-learn -w run.w --promote a.ep &
        first=$!
        works ntuple-learn -w run.w --promote b.ep
        wait $first
        works ntuple-info --verify run.w
        equal promoted "$(value promoted)" yes
        equal episodes "$(value episodes)" 6000
    done
    # A board that no game has seen is worth something sensible in every stage.
    echo 256,256,256/256,256,256 | ntuple-eval -w run.w >values
    awk -F '\t' 'NR == 2 { exit !($2 > -1000 && $2 < 1000) }' values || fail "$(cat values)"
}

@test "promotion changes nothing without stages" {
    network
    ntuple-new plain.net -o a.w
    cp a.w b.w
    gen-episodes -b 2x3 -n 200 -o some.ep
    ntuple-learn -w a.w some.ep
    ntuple-learn -w b.w --promote some.ep
    gen-episodes -b 2x3 -n 50 -s 2 -o other.ep
    values a.w other.ep >one
    values b.w other.ep >two
    cmp one two
}
