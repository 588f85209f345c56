#!/usr/bin/env bats
# A solved directory as an evaluator: gen-episodes -w DIR.
load helper

# solve BOARD DIR [OPTIONS]: both passes.
solve() {
    age-enumerate -b "$1" -d "$2" "${@:3}"
    age-backup -d "$2"
}

# The mean score of games.ep differs from a value by less than four standard
# errors: right play fails once in 16000 seeds, and the seed is fixed.
agrees() {
    episode-stat games.ep >stat
    awk -v want="$1" -v mean="$(value mean_score stat)" -v dev="$(value stddev_score stat)" \
        -v n="$(value episodes stat)" 'BEGIN {
            off = mean - want; most = 4 * dev / sqrt(n) + 1e-9; exit off > most || off < -most }' ||
        fail "mean $(value mean_score stat), the solution says $1"
}

# Every move of games.ep is one of the best.
lossless() {
    age-query -d "$1" --episodes --summary games.ep >summary
    equal loss "$(awk '$1 == "all" {print $3, $4, $5, $6}' summary)" "0 1 0 0"
}

@test "perfect play scores what the solution says, and loses nothing" {
    while read -r board n options; do
        # shellcheck disable=SC2086
        solve "$board" "$board$options" $options
        # shellcheck disable=SC2086
        works gen-episodes -w "$board$options" -n "$n" $options -o games.ep
        agrees "$(awk '$1 == "end" {print $2}' "$board$options/score/manifest")"
        lossless "$board$options"
    done <<'END'
1x4 20000
2x2 20000
2x3 5000
3x2 5000
2x3 2000 --p4 0.5
2x2 2000 --p4 0
2x2 2000 --p4 1
END
}

@test "greedy and random play lose something" {
    solve 2x3 s
    ntuple-new "$fixtures/2x3.net" -o zero.w
    for player in "-w zero.w" "-b 2x3"; do
        # shellcheck disable=SC2086
        gen-episodes $player -n 1000 -o games.ep
        run lossless s
        [ "$status" = 1 ] || fail "no loss with $player"
        run agrees 480.258
        [ "$status" = 1 ] || fail "perfect score with $player"
    done
}

@test "of equally good moves the first of left, up, right, down is made" {
    solve 2x3 s
    gen-episodes -w s -n 50 -s 3 -o games.ep
    episode-text games.ep >text
    equal player "$(value player text)" perfect
    grep '@' text | cut -f 2 >made
    grep '@' text | cut -f 1 | age-query -d s | sed 1d | cut -f 4 >best
    grep -q , best || fail "no equally good moves"
    cut -d , -f 1 best | cmp made - || fail "not the first best move"
}

@test "threads and code do not change perfect games" {
    solve 2x3 s
    gen-episodes -w s -n 300 -s 5 -t 1 >one
    for threads in 2 3; do gen-episodes -w s -n 300 -s 5 -t $threads | cmp one -; done
    PIPE2048_CPU=plain gen-episodes -w s -n 300 -s 5 | cmp one -
    gen-episodes -w s -n 7 -s 5 | episode-stat --each >few
    gen-episodes -w s -n 300 -s 5 | episode-stat --each | head -n 8 | cmp - few
}

@test "the board and the probability of a 4 must be the solution's" {
    solve 2x3 s --p4 0.25
    refused 1 's: is for 2x3 boards, not 3x3' gen-episodes -w s -b 3x3 -n 1 --p4 0.25 -o never
    refused 1 's: is solved with --p4 0.25, not 0.1' gen-episodes -w s -n 1 -o never
    refused 1 's: is solved with --p4 0.25, not 0.5' gen-episodes -w s --p4 0.5 -n 1 -o never
    works gen-episodes -w s --p4 0.25 -b 2x3 -n 1 -o games.ep
}

@test "other values are named by their folder" {
    solve 2x3 s
    age-backup -d s --objective reach:64
    works gen-episodes -w s/reach-64 -n 4000 -o games.ep
    works age-query -d s --values reach-64 --episodes --summary games.ep
    equal loss "$(awk '$1 == "all" {print $3, $4, $5, $6}' "$T/out")" "0 1 0 0"
    # The share of games that reach it is what that solution promises.
    reached=$(episode-stat games.ep | awk '$1 == "reach_64" {print $2}')
    awk -v want="$(awk '$1 == "end" {print $2}' s/reach-64/manifest)" -v is="$reached" 'BEGIN {
        off = (is - want) / sqrt(want * (1 - want) / 4000); exit !(off > -4 && off < 4) }' ||
        fail "share $reached"
    (cd s/reach-64 && works gen-episodes -w . -n 1 -o ../../one.ep) || fail "not from within"
}

@test "a directory solved in part is refused in advance, with what is missing" {
    age-enumerate -b 2x3 -d s --to 20
    refused 1 's/manifest: age 22 is not enumerated' gen-episodes -w s -n 1 -o never
    age-enumerate -d s
    refused 1 's/manifest: age [0-9]+ has no values in score' gen-episodes -w s -n 1 -o never
    age-backup -d s
    sed -i '/^end/d' s/score/manifest
    sed -i '/^age	8	/,$d' s/score/manifest
    refused 1 's/manifest: age 8 has no values in score' gen-episodes -w s -n 1 -o never
    age-enumerate -b 2x3 -d h --to 20
    age-backup -d h --horizon
    refused 1 'h/manifest: age 22 is not' gen-episodes -w h -n 1 -o never
    refused 1 'h/manifest: age 22 is not' gen-episodes -w h/score-horizon -n 1 -o never
    age-enumerate -d h
    refused 1 'take age 20 for the end' gen-episodes -w h/score-horizon -n 1 -o never
}

@test "missing, cut and damaged files are refused by their names" {
    solve 2x3 s
    cp -R s good
    rm s/score/00100.val
    refused 1 's/score/00100.val: No such file' gen-episodes -w s -n 100 -o never
    head -c 50 good/score/00100.val >s/score/00100.val
    refused 1 's/score/00100.val: not the file' gen-episodes -w s -n 100 -o never
    cp good/score/00100.val s/score/00100.val
    rm s/afterstates/00100.ef
    refused 1 's/afterstates/00100.ef: No such file' gen-episodes -w s -n 100 -o never
    cp good/afterstates/00100.ef s/afterstates/00100.ef
    printf x | dd of=s/afterstates/00100.ef bs=1 seek=40 conv=notrunc 2>/dev/null
    # Only found when games come to this age; there is no file, nor an end of the stream.
    refused 1 's/afterstates/00100.ef: ' gen-episodes -w s -n 100 -o never
    gen-episodes -w s -n 100 2>/dev/null | try episode-stat
    equal status "$status" 1
}

@test "what learns refuses a directory" {
    solve 2x2 s
    piped() { "$@" | cat; }
    set -o pipefail
    refused 1 's: nothing learns a solved board' piped gen-episodes --lockstep -w s -n 1
    gen-episodes -b 2x2 -n 1 >games.ep
    refused 1 's: ' ntuple-learn -w s games.ep
    refused 1 's: is a solved board' ntuple-eval -w s --mse games.ep
    refused 1 's: is a solved board' bash -c 'echo 2,2/0,0 | ntuple-eval -w s'
}
