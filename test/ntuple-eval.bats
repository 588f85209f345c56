#!/usr/bin/env bats
load helper

# Weights that know something.
learned() {
    ntuple-new "$fixtures/$1.net" --init 20 -o run.w
    gen-episodes -b "$1" -n 500 | ntuple-learn -w run.w
}

@test "a table tells of each board its value, the best move and what each is worth" {
    ntuple-new "$fixtures/2x2.net" -o zero.w
    printf '2,0/2,0\n4,4/0,0\n2,4/4,2\n2,8/0,0\n' >boards
    works ntuple-eval -w zero.w boards
    tr ' ' '\t' >want <<'END'
board value best left up right down
2,0/2,0 0 up - 4 0 4
4,4/0,0 0 left 8 - 8 0
2,4/4,2 0 - - - - -
2,8/0,0 0 down - - - 0
END
    diff want "$T/out"
    ntuple-eval --weights zero.w - <boards | diff want -
    works ntuple-eval -w zero.w -o table boards
    [ ! -s "$T/out" ]
    diff want table
}

@test "values are the sums of the weights, as the exported tables have them" {
    learned 4x4
    ntuple-convert --to tdl2048 run.w -o theirs
    # Of an empty board, each of the three tuples' first weight, eight times.
    sum=$(for at in 24 16429 32834; do od -A n -t f4 -j $at -N 4 theirs; done | awk '{s += 8 * $1} END {print s}')
    echo 0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 | ntuple-eval -w run.w | sed 1d | cut -f 2 >got
    awk -v want="$sum" '{d = $1 - want; exit d * d > 0.0001 * want * want || want == 0}' got ||
        fail "$(cat got), expected $sum"
}

@test "the worth of a move is its reward plus the value of the board it leads to" {
    learned 3x3
    echo 2,2,0/0,0,0/0,0,0 | ntuple-eval -w run.w | sed 1d >move
    echo 4,0,0/0,0,0/0,0,0 | ntuple-eval -w run.w | sed 1d | cut -f 2 >after
    echo 0,0,0/0,0,0/2,2,0 | ntuple-eval -w run.w | sed 1d | cut -f 2 >down
    awk -F '\t' -v left="$(cat after)" -v down="$(cat down)" \
        '{a = $4 - 4 - left; b = $7 - down; exit a * a + b * b > 0.0001 || $5 != "-"}' move || fail "$(cat move)"
    equal "left and right are images" "$(cut -f 4 move)" "$(cut -f 6 move)"
}

@test "all images of a board have one value, on any code" {
    learned 3x3
    printf '%s\n' 2,4,8/0,16,0/2,0,0 8,4,2/0,16,0/0,0,2 2,0,0/0,16,0/2,4,8 2,0,2/4,16,0/8,0,0 >boards
    ntuple-eval -w run.w boards >table
    equal values "$(sed 1d table | cut -f 2 | uniq | wc -l | tr -d ' ')" 1
    PIPE2048_CPU=plain ntuple-eval -w run.w boards | cmp table -
}

@test "the best moves are those that gen-episodes makes" {
    for net in 2x3 3x3 4x4; do
        learned $net
        gen-episodes -w run.w -n 5 -s 4 >some.ep
        ntuple-eval -w run.w some.ep | sed 1d | cut -f 1,3 >got
        episode-text some.ep | awk -F '\t' '/^[0-9.]+,/ {print $1 "\t" ($2 == "over" ? "-" : $2)}' >want
        [ -s want ]
        diff want got
    done
}

@test "a line is answered before the next is read" {
    ntuple-new "$fixtures/2x2.net" -o zero.w
    mkfifo questions
    ntuple-eval -w zero.w questions >answers &
    exec 5>questions
    echo 2,0/0,0 >&5
    for _ in $(seq 200); do
        [ "$(wc -l <answers)" -lt 2 ] || break
        sleep 0.02
    done
    equal lines "$(wc -l <answers | tr -d ' ')" 2
    exec 5>&-
    wait
}

@test "boards may be written in every way of board(5)" {
    ntuple-new "$fixtures/2x2.net" -o zero.w
    printf '2, 0/ .,4\n\n131072,65536/2,2' | ntuple-eval -w zero.w | sed 1d | cut -f 1 >got
    printf '2,0/0,4\n131072,65536/2,2\n' | cmp - got
}

@test "text that is no board is refused with its line" {
    ntuple-new "$fixtures/2x2.net" -o zero.w
    bad() {
        printf %b "$1" >bad
        try ntuple-eval -w zero.w bad
        equal status "$status" 1
        equal lines "$(wc -l <"$T/err" | tr -d ' ')" 1
        grep -q "^ntuple-eval: bad: line $2: " "$T/err" || fail "$1"
    }
    bad '2,0/0\n' 1
    bad '2,0/0,4\n3,0/0,0\n' 2
    bad '2,0/0,4\n\nhello\n' 3
    bad '2,0,0/0,0,0\n' 1
    bad '2,0/0,4\n2,0/0,\0004\n' 2
    : >empty
    try ntuple-eval -w zero.w empty
    equal status "$status" 1
}

@test "episodes of another board, damaged or cut, are refused" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    gen-episodes -b 2x3 -n 5 >other.ep
    gen-episodes -b 3x3 -n 50 >some.ep
    head -c 500 some.ep >short.ep
    for option in "" --mse; do
        # shellcheck disable=SC2086 # an option or none
        {
            try ntuple-eval -w run.w $option other.ep
            equal status "$status" 1
            grep -q '^ntuple-eval: run.w: is for 3x3 boards, the episodes have 2x3' "$T/err" || fail "other.ep"
            try ntuple-eval -w run.w $option short.ep
            equal status "$status" 1
            grep -q '^ntuple-eval: short.ep: ' "$T/err" || fail "short.ep"
        }
    done
    works ntuple-eval -w run.w -o table some.ep
    cp table before
    try ntuple-eval -w run.w -o table short.ep
    cmp before table
}

@test "--mse compares values with what was scored later" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    gen-episodes -b 3x3 -n 50 >some.ep
    works ntuple-eval --mse -w run.w some.ep
    equal header "$(head -n 1 "$T/out" | xargs)" "low high n mean_value mean_score bias rmse"
    # All values are 0: one range, and the mean of what came later.
    episode-text some.ep | awk -F '\t' '
        $1 == "episode" {n = 0}
        /^[0-9.]+,/ && $2 != "over" {reward[n++] = $3}
        /^[0-9.]+,/ && $2 == "over" {later = 0; while (n-- > 0) {sum += later; square += later * later; later += reward[n]; all++}}
        END {printf "%d\t0\t%.6g\t%.6g\t%.6g\n", all, sum / all, -sum / all, sqrt(square / all)}' >want
    sed 1d "$T/out" | cut -f 3- | diff want -
}

@test "--mse finds small bias in what was learned, and counts every afterstate once" {
    ntuple-new "$fixtures/2x3.net" -o run.w
    gen-episodes --lockstep -w run.w -n 20000 | ntuple-learn --lockstep -w run.w --rate 0.02
    gen-episodes -w run.w -n 3000 -s 2 >some.ep
    works ntuple-eval --mse -w run.w some.ep
    cp "$T/out" table
    equal afterstates "$(awk -F '\t' 'NR > 1 {n += $3} END {print n}' table)" "$(episode-stat some.ep | value moves /dev/stdin)"
    awk -F '\t' 'NR > 1 {
        if ($2 <= $1 || $4 < $1 || $4 >= $2) exit 1          # mean value within its range
        n += $3; bias += $3 * $6; score += $3 * $5
    } END {exit (bias < 0 ? -bias : bias) > 0.1 * score}' table || fail "$(cat table)"
    PIPE2048_CPU=plain ntuple-eval --mse -w run.w some.ep | cmp table -
}

@test "--mse needs episodes" {
    ntuple-new "$fixtures/2x2.net" -o zero.w
    echo 2,0/0,4 >boards
    refused 1 'boards: ' ntuple-eval --mse -w zero.w boards
}

@test "misuse is told in one line, with status 2" {
    refused 2 '-w FILE is needed' ntuple-eval
    refused 2 'unexpected operand' ntuple-eval -w x a b
    refused 1 'missing: No such file' ntuple-eval -w missing
    mkdir folder
    refused 1 'folder: ' ntuple-eval -w folder
}
