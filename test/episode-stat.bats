#!/usr/bin/env bats
load helper

@test "the smallest stream gives its one score" {
    works episode-stat "$fixtures/smallest.ep"
    printf '%s\t%s\n' episodes 1 moves 1 mean_score 4 stddev_score 0 ci95_score 0 median_score 4 \
        max_score 4 min_score 4 mean_moves 1 max_tile 4 reach_2 1 reach_4 1 | diff - "$T/out"
}

@test "a file, standard input and - are read alike" {
    gen-episodes -n 50 >games
    episode-stat games >one
    episode-stat <games >two
    episode-stat - <games >three
    # shellcheck disable=SC2002
    cat games | episode-stat >four
    cmp one two
    cmp one three
    cmp one four
}

@test "the summary follows from --each" {
    for n in 1 2 501 1000; do
        gen-episodes -b 3x3 -n $n -s $n >games
        episode-stat --each games >each
        equal header "$(head -n 1 each)" "$(printf 'index\tscore\tmoves\tmax_tile')"
        equal lines "$(wc -l <each | tr -d ' ')" $((n + 1))
        episode-stat games >stat
        tail -n +2 each | sort -n -k 2,2 | awk -F '\t' '
            BEGIN {OFMT = "%.17g"}
            {score[NR] = $2; sum += $2; moves += $3; if ($4 > max) max = $4; tile[$4]++}
            END {
                mean = sum / NR
                for (i = 1; i <= NR; i++) squares += (score[i] - mean) ^ 2
                deviation = NR > 1 ? sqrt(squares / (NR - 1)) : 0
                median = NR % 2 ? score[(NR + 1) / 2] : (score[NR / 2] + score[NR / 2 + 1]) / 2
                print "episodes", NR; print "moves", moves; print "mean_score", mean
                print "stddev_score", deviation; print "ci95_score", 1.96 * deviation / sqrt(NR)
                print "median_score", median; print "max_score", score[NR]; print "min_score", score[1]
                print "mean_moves", moves / NR; print "max_tile", max
                for (t = 2; t <= max; t *= 2) {
                    reached = 0
                    for (u in tile) if (u + 0 >= t) reached += tile[u]
                    print "reach_" t, reached / NR
                }
            }' >expected
        awk 'NR == FNR {key[NR] = $1; value[NR] = $2; lines = NR; next}
             {d = $2 - value[FNR]; if (d < 0) d = -d
              if ($1 != key[FNR] || d > 1e-9 * (1 + value[FNR])) {print "expected " key[FNR], value[FNR] ", got " $0; bad = 1}}
             END {exit bad || FNR != lines}' expected stat
    done
}

@test "scores, moves and tiles are those that the text of the games shows" {
    gen-episodes -b 4x3 -n 40 >games
    episode-stat --each games | tail -n +2 >each
    episode-text games | awk -F '\t' -v OFS='\t' '
        /^episode\t/ {moves = 0; score = 0; next}
        $2 == "over" {
            n = split($1, tile, /[,\/]/); max = 0
            for (i = 1; i <= n; i++) if (tile[i] + 0 > max) max = tile[i] + 0
            print index_++ + 0, score, moves, max; next
        }
        $4 ~ /@/ {moves++; score += $3}' | diff - each
}

@test "random play on 4x4 scores what it is known to score" {
    # About 1089 on average with a deviation of 540.
    gen-episodes -n 4000 | episode-stat >stat
    awk -v mean="$(value mean_score stat)" -v sd="$(value stddev_score stat)" \
        'BEGIN {exit mean < 1050 || mean > 1130 || sd < 500 || sd > 580}' || fail "$(cat stat)"
}

@test "numbers read back exactly and have no exponent" {
    gen-episodes -n 3000 | episode-stat >stat
    cut -f 2 stat | not grep -v -E '^[0-9]+(\.[0-9]+)?$'
}

@test "a stream without episodes has no scores" {
    printf 'episodes\t1\nboard\t4x4\np4\t0.1\nseed\t1\nplayer\tnobody\nend\t0\t0\n' | episode-text -r >none
    works episode-stat none
    printf 'episodes\t0\nmoves\t0\n' | diff - "$T/out"
}

@test "joined streams count as one" {
    gen-episodes -b 3x3 -n 30 -s 1 >one
    gen-episodes -b 3x3 -n 20 -s 2 --p4 0.5 >two
    works episode-stat --each <(cat one two one)
    cp "$T/out" joined
    { episode-stat --each one; episode-stat --each two | tail -n +2; episode-stat --each one | tail -n +2; } |
        awk -v OFS='\t' 'NR > 1 {$1 = NR - 2} {print}' | diff - joined
}

@test "the portable code replays to the same scores" {
    for board in 2x2 4x4 2x8; do
        gen-episodes -b $board -n 100 >games
        episode-stat --each games >fast
        PIPE2048_CPU=plain episode-stat --each games | cmp - fast
    done
}

@test "tiles of 65536 and 131072 are replayed and counted" {
    # The largest merges there are, from a given board, one a step.
    printf '%s\n' 'episodes	1' 'board	2x4' 'p4	0.1' 'seed	1' 'player	a test' 'episode	1	given' \
        '32768,32768,65536,4/8,16,32,2	left	65536	2@3' \
        '65536,65536,4,2/8,16,32,2	left	131072	2@3' \
        '-	right	4	2@0' '-	cut	196612' 'end	1	3' | episode-text -r >large || fail "text"
    works episode-stat large
    equal score "$(value max_score)" 196612
    equal tile "$(value max_tile)" 131072
    equal reach "$(value reach_131072)" 1
    PIPE2048_CPU=plain works episode-stat large
    equal score "$(value max_score)" 196612
}

@test "-o writes what standard output would get" {
    episode-stat "$fixtures/smallest.ep" >piped
    works episode-stat -o file "$fixtures/smallest.ep"
    cmp piped file
    [ ! -s "$T/out" ]
}

@test "a file can be replaced by its own statistics" {
    cp "$fixtures/smallest.ep" file
    works episode-stat file -o file
    grep -q '^episodes' file
}

@test "-v adds one line with the totals" {
    try episode-stat -v "$fixtures/smallest.ep"
    equal status "$status" 0
    grep -q '^episode-stat: episodes=1 moves=1 ' "$T/err" || fail "no totals"
    equal lines "$(wc -l <"$T/err" | tr -d ' ')" 1
}

@test "every bad fixture is refused with status 1 and one line that names it" {
    cd "$fixtures/bad"
    for file in *; do
        refused 1 "$file: ." episode-stat "$file"
        refused 1 "$file: ." episode-stat --each "$file"
        refused 1 'standard input: .' episode-stat <"$file"
    done
}

@test "the bad fixtures are the forgeries that the unit test makes" {
    "$units/stream" forged
    for file in *.ep; do
        [ "$file" != smallest.ep ] || continue
        cmp "$file" "$fixtures/bad/$file"
    done
    cmp smallest.ep "$fixtures/smallest.ep"
}

@test "a bad stream leaves an old output file as it was" {
    gen-episodes -n 3000 | head -c 300000 >short
    echo old >file
    refused 1 'short: episode [0-9]+: stream is cut short' episode-stat short -o file
    refused 1 'short: episode [0-9]+: stream is cut short' episode-stat --each short -o file
    refused 1 'short: episode [0-9]+: stream is cut short' episode-stat --each short -o new
}

@test "empty, missing and unreadable input is refused" {
    : >empty
    refused 1 'empty: empty' episode-stat empty
    refused 1 'standard input: empty' episode-stat </dev/null
    refused 1 'missing: No such file' episode-stat missing
    refused 1 'no/such/folder: No such file' episode-stat no/such/folder
    mkdir folder
    refused 1 'folder: is a directory' episode-stat folder
    refused 1 'standard input: is a directory' episode-stat <folder
    closed() { "$@" <&-; }
    refused 1 'standard input: Bad file' closed episode-stat
    [ "$(id -u)" != 0 ] || return 0
    touch secret
    chmod 0 secret
    refused 1 'secret: Permission denied' episode-stat secret
}

@test "a name with a newline stays one line" {
    refused 1 'a\?b: No such file' episode-stat $'a\nb'
}

@test "a full disk is told" {
    [ -c /dev/full ] || skip "there is no /dev/full"
    full() { "$@" >/dev/full; }
    refused 1 'standard output: No space left' full episode-stat "$fixtures/smallest.ep"
    refused 1 'missing/file: No such file' episode-stat -o missing/file "$fixtures/smallest.ep"
    device=$(device full 7) || return 0
    refused 1 "$device: No space left" episode-stat -o "$device" "$fixtures/smallest.ep"
}

@test "a reader that goes away ends it quietly" {
    gen-episodes -b 2x2 -n 50000 >games
    { episode-stat --each games 2>"$T/err" || echo "$?" >"$T/status"; } | head -c 100 >got
    [ ! -s "$T/err" ] || fail "not quiet"
    equal status "$(cat "$T/status")" 141
}

@test "misuse is told in one line, with status 2" {
    refused 2 '-n: unknown' episode-stat -n 5
    refused 2 '--all: unknown' episode-stat --all
    refused 2 'two: unexpected operand' episode-stat one two
    refused 2 '-o: needs an argument' episode-stat -o
}
