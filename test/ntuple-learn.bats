#!/usr/bin/env bats
load helper

# pair WEIGHTS EPISODES [OPTION ...]: learns from its own games, in lockstep so
# that the outcome does not depend on chance.
pair() {
    local weights=$1 n=$2
    shift 2
    gen-episodes --lockstep -w "$weights" -n "$n" | ntuple-learn --lockstep -w "$weights" "$@"
}

# The mean score of other games than those it learned from.
skill() { gen-episodes -w "$1" -n 500 -s 99 | episode-stat | value mean_score /dev/stdin; }

state() { ntuple-info "$1" | value state /dev/stdin; }
learned() { ntuple-info "$1" | value episodes /dev/stdin; }

# Nothing outlives a test that failed halfway.
teardown() {
    jobs -p | xargs -r kill -9 2>/dev/null || :
    cd / && rm -rf "$T"
}

# Waits up to ten seconds for a command to succeed.
await() {
    for _ in $(seq 500); do
        if "$@"; then return 0; fi
        sleep 0.02
    done
    fail "in vain: $*"
}

@test "every rule and update makes a player far better than random" {
    # Random play scores 181 on average, and weights of zero some 290.
    while read -r options; do
        ntuple-new "$fixtures/3x3.net" -o run.w
        # shellcheck disable=SC2086 # several options
        works pair run.w 3000 $options
        [ ! -s "$T/out" ]
        at_least "${options:-default}" "$(skill run.w)" 700
        equal episodes "$(learned run.w)" 3000
    done <<'END'

--rule td --rate 0.2
--rule tc
--rule td --lambda 0.5
--rule tc --lambda 0.5 --rate 0.5
--rule tc --lambda 0.5 --update standard --horizon 2 --rate 0.5
--rule td --update backward --lambda 0.3
--rule tc --update backward --lambda 0.5 --rate 0.5
--steps 3
--steps 5 --rule tc --rate 0.5
--steps 10 --update backward
--rate-schedule 0.3:0.05:100000
--rule td-then-tc --switch 100000 --tc-rate 0.5
--rule tc --tc-reset 50000 --lambda 0.5 --rate 0.5
END
}

# Two streams of one game each, weights for them, and how many moves they have.
two_games() {
    ntuple-new "$fixtures/3x3.net" --init 100 -o new.w
    gen-episodes -b 3x3 -n 1 -s 3 >one.ep
    gen-episodes -b 3x3 -n 1 -s 4 >two.ep
    first=$(episode-stat one.ep | value moves /dev/stdin)
    second=$(episode-stat two.ep | value moves /dev/stdin)
}

@test "--steps 1 is what there is without it; more are delayed, or backward, on any code" {
    two_games
    for rule in td tc; do
        for update in standard delayed backward auto; do
            cp new.w run.w
            cp new.w want.w
            works ntuple-learn -w want.w --rule $rule --update $update one.ep
            works ntuple-learn -w run.w --rule $rule --update $update --steps 1 one.ep
            cmp run.w want.w
        done
    done
    gen-episodes -b 3x3 -n 300 >some.ep
    for steps in 2 64; do
        cp new.w run.w
        works ntuple-learn -w run.w --steps $steps some.ep
        cp new.w again.w
        works ntuple-learn -w again.w --steps $steps --update delayed some.ep
        cmp run.w again.w
        PIPE2048_CPU=plain works ntuple-learn -w again.w --steps $steps --update backward some.ep
        works ntuple-learn -w run.w --steps $steps --update backward some.ep
        cmp run.w again.w
    done
}

@test "--rate-schedule goes from rate to rate by the moves that the file has learned" {
    two_games
    # at RATE: the second game with that; the first had 0.5.
    at() { cp new.w "$T/$1" && ntuple-learn -w "$T/$1" --rate 0.5 one.ep && ntuple-learn -w "$T/$1" --rate "$1" two.ep; }
    for rate in 0.5 0.375 0.25; do at $rate; done
    while read -r schedule rate; do
        cp new.w run.w
        cat one.ep two.ep | works ntuple-learn -w run.w --rate-schedule "$schedule"
        cmp run.w "$T/$rate" || fail "$schedule"
        cp new.w run.w
        works ntuple-learn -w run.w --rate-schedule "$schedule" one.ep
        works ntuple-learn -w run.w --rate-schedule "$schedule" two.ep
        cmp run.w "$T/$rate" || fail "$schedule in two runs"
    done <<END
0.5:0.5:7 0.5
0.5:0.25:1 0.25
0.5:0.25:$first 0.25
0.5:0.25:$((2 * first)) 0.375
0.5:0:$((2 * first)) 0.25
END
    not cmp -s "$T/0.5" "$T/0.375"
}

@test "--rule td-then-tc goes over from td to tc at its move, in one run or several" {
    two_games
    learn() { works ntuple-learn -w run.w "$@"; }
    for rates in "" "--rate 0.2 --tc-rate 0.5"; do
        cp new.w run.w
        # shellcheck disable=SC2086
        case $rates in
        "") learn one.ep && learn --rule tc two.ep ;;
        *) learn --rate 0.2 one.ep && learn --rule tc --rate 0.5 two.ep ;;
        esac
        mv run.w want.w
        for at in 1 $first; do
            cp new.w run.w
            # shellcheck disable=SC2086
            cat one.ep two.ep | works ntuple-learn -w run.w --rule td-then-tc --switch $at $rates
            cmp run.w want.w
            cp new.w run.w
            # shellcheck disable=SC2086
            { learn --rule td-then-tc --switch $at $rates one.ep && learn --rule td-then-tc --switch $at $rates two.ep; }
            cmp run.w want.w
        done
        cp new.w run.w
        # shellcheck disable=SC2086
        cat one.ep two.ep | works ntuple-learn -w run.w --rule td-then-tc --switch $((first + 1)) $rates
        not cmp -s run.w want.w
    done
}

@test "--tc-reset empties the accumulators whenever the file has learned so many moves more" {
    two_games
    plain=$(ntuple-new --dry-run "$fixtures/3x3.net" | value bytes /dev/stdin)
    weights() { head -c "$plain" "$1" | tail -c +4097; }
    accumulators() { tail -c +$((plain + 1)) "$1"; }
    empty() { [ "$(accumulators "$1" | tr -d '\0' | wc -c)" -eq 0 ]; }
    cp new.w want.w
    works ntuple-learn -w want.w --rule tc one.ep
    not empty want.w
    for moves in 1 $((first / 2 + 1)) "$first"; do
        cp new.w run.w
        works ntuple-learn -w run.w --rule tc --tc-reset "$moves" one.ep
        empty run.w || fail "after $moves"
        cmp <(weights run.w) <(weights want.w)
        works ntuple-info --verify run.w
    done
    # What counts is the file, not the run; and once a mark, not from then on.
    mark=$((first + 1))
    cp new.w run.w
    works ntuple-learn -w run.w --rule tc --tc-reset $mark one.ep
    cmp run.w want.w
    works ntuple-learn -w run.w --rule tc --tc-reset $mark two.ep
    empty run.w
    cp run.w again.w
    gen-episodes -b 3x3 -m 1 >short.ep
    works ntuple-learn -w run.w --rule tc --tc-reset $((first + second)) short.ep
    works ntuple-learn -w again.w --rule tc short.ep
    cmp run.w again.w
    not empty run.w
    # With td-then-tc, too, and with several threads.
    gen-episodes -b 3x3 -n 2000 >some.ep
    works ntuple-learn -t 3 -w run.w --rule td-then-tc --switch 50000 --tc-reset 70000 --rate 0.05 --tc-rate 0.2 some.ep
    works ntuple-info --verify run.w
}

@test "other people's games are learned from as well" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    gen-episodes -b 3x3 -n 10000 >some.ep
    works ntuple-learn -w run.w some.ep
    at_least skill "$(skill run.w)" 400
    ntuple-new "$fixtures/3x3.net" -o again.w
    works ntuple-learn --weights=again.w - <some.ep
    cmp run.w again.w
}

@test "in lockstep the same seed gives the same weights, on any code and with any threads" {
    for options in "" "--rule tc --rate 0.2 --lambda 0.5" "--rule tc --rate 0.2 --update backward"; do
        for net in 2x3 3x3; do
            ntuple-new "$fixtures/$net.net" --init 100 -o one.w
            for copy in two three four other; do cp one.w $copy.w; done
            # shellcheck disable=SC2086
            {
                pair one.w 200 $options
                pair two.w 200 $options
                PIPE2048_CPU=plain pair three.w 200 $options
                gen-episodes --lockstep -t 4 -w four.w -n 200 |
                    ntuple-learn --lockstep -t 4 --log log -w four.w $options
                gen-episodes --lockstep -s 2 -w other.w -n 200 | ntuple-learn --lockstep -w other.w $options
            }
            cmp one.w two.w
            cmp one.w three.w
            cmp one.w four.w
            not cmp -s one.w other.w
        done
    done
}

@test "in lockstep every game is played with all that was learned before it" {
    ntuple-new "$fixtures/2x3.net" -o new.w
    cp new.w all.w
    gen-episodes --lockstep -w all.w -n 40 | tee stream | ntuple-learn --lockstep -w all.w
    game() { episode-text | awk -v n="$1" '$1 == "episode" {on = $2 == n} !NF || $1 == "end" {on = 0} on'; }
    for before in 1 2 7 39; do
        cp new.w part.w
        pair part.w $before
        gen-episodes -w part.w -n $((before + 1)) | game $((before + 1)) >got
        game $((before + 1)) <stream >want
        [ -s want ]
        diff want got
    done
    # What was learned follows from the games alone.
    ntuple-learn -w new.w stream
    cmp new.w all.w
}

@test "in lockstep a file has one learner" {
    ntuple-new "$fixtures/2x3.net" -o run.w
    gen-episodes -b 2x3 -n 5 >some.ep
    size=$(wc -c <some.ep)
    mkfifo later
    { head -c $((size - 1)) some.ep && exec cat later; } | ntuple-learn --lockstep -w run.w &
    first=$!
    busy() { [ "$(state run.w)" = "being learned" ] && [ "$(learned run.w)" = 5 ]; }
    await busy
    { ntuple-learn -w run.w some.ep >"$T/second" 2>&1 || echo "status $?" >>"$T/second"; } &
    second=$!
    refused 1 'run.w: in use by another learner' ntuple-learn --lockstep -w run.w some.ep
    wait $second
    diff - "$T/second" <<'END'
ntuple-learn: run.w: in use by another learner
status 1
END
    works gen-episodes -w run.w -n 1
    tail -c 1 some.ep >later
    wait $first
    equal state "$(state run.w)" clean
    equal episodes "$(learned run.w)" 5
}

@test "a generator in lockstep ends when its learner has gone" {
    ntuple-new "$fixtures/2x3.net" -o run.w
    { timeout 20 gen-episodes --lockstep -w run.w -n 10 2>"$T/err" || echo $? >"$T/ended"; } | head -c 10 >got
    read -r ended <"$T/ended"
    [ "$ended" != 0 ] && [ "$ended" != 124 ] || fail "status $ended"
}

@test "-t learns from every episode, too" {
    gen-episodes -b 3x3 -n 10000 >some.ep
    for threads in 2 3 0; do
        ntuple-new "$fixtures/3x3.net" -o run.w
        works ntuple-learn -t $threads -w run.w --checkpoint copy.w --every 50000 --log log some.ep
        equal episodes "$(learned run.w)" 10000
        at_least skill "$(skill run.w)" 400
        works ntuple-info --verify run.w
        cmp run.w copy.w
    done
}

@test "two pairs on one file learn together" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    for seed in 1 2; do
        gen-episodes -t 1 -s $seed -w run.w -n 3000 | ntuple-learn -w run.w --rule tc &
    done
    wait
    equal episodes "$(learned run.w)" 6000
    equal state "$(state run.w)" clean
    works ntuple-info --verify run.w
    at_least skill "$(skill run.w)" 700
}

@test "--checkpoint keeps complete copies, --every so many moves" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    gen-episodes -b 3x3 -n 200 >some.ep
    works ntuple-learn -w run.w --rule tc --checkpoint copy.w some.ep
    cmp run.w copy.w
    works ntuple-info --verify copy.w
    equal episodes "$(learned copy.w)" 200
    equal files "$(echo ./*)" "./copy.w ./run.w ./some.ep"
    # One on the way: what follows is held back until it is there.
    mkfifo later
    rm copy.w
    { head -c 4000 some.ep && exec cat later; } | ntuple-learn -w run.w --rule tc --checkpoint copy.w --every 1000 &
    learner=$!
    await test -f copy.w
    works ntuple-info --verify copy.w
    at_least episodes "$(learned copy.w)" 201
    tail -c +4001 some.ep >later
    wait $learner
    cmp run.w copy.w
    refused 1 'missing/copy.w: No such file' ntuple-learn -w copy.w --checkpoint missing/copy.w "$fixtures/smallest.ep" ||
        grep -q 'is for 3x3' "$T/err"
}

@test "a pair that is killed leaves weights to go on from, and a sound checkpoint" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    for round in 1 2 3; do
        rm -f pipe copy.w
        mkfifo pipe
        gen-episodes -t 1 -w run.w -s $round -n 1000000 >pipe &
        generator=$!
        ntuple-learn -w run.w --rule tc --checkpoint copy.w --every 5000 <pipe &
        learner=$!
        await test -f copy.w
        before=$(learned run.w)
        kill -9 $learner $generator
        wait $learner $generator || true
        equal state "$(state run.w)" "not cleanly closed"
        try ntuple-info --verify run.w
        equal status "$status" 1
        grep -q 'run.w: not cleanly closed' "$T/err" || fail "no reason"
        works ntuple-info --verify copy.w
        equal state "$(state copy.w)" clean
        works gen-episodes -w run.w -n 10
        gen-episodes -b 3x3 -n 10 | works ntuple-learn -w run.w --rule tc
        works ntuple-info --verify run.w
        at_least episodes "$(learned run.w)" $((before + 10))
    done
    at_least skill "$(skill run.w)" 500
}

@test "a signal ends it, and what was learned is kept" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    gen-episodes -b 3x3 -n 20 >some.ep
    mkfifo later
    { head -c $(($(wc -c <some.ep) - 1)) some.ep && exec cat later; } | ntuple-learn -w run.w &
    learner=$!
    all() { [ "$(learned run.w)" = 20 ]; }
    await all
    kill -s TERM $learner
    : >later
    ended=0
    wait $learner || ended=$?
    equal status "$ended" 143
    equal episodes "$(learned run.w)" 20
    works ntuple-learn -w run.w some.ep
    works ntuple-info --verify run.w
}

@test "--log appends a table" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    gen-episodes -b 3x3 -n 1000 >some.ep
    works ntuple-learn -w run.w --log log --log-every 1000 some.ep
    equal header "$(head -n 1 log | xargs)" "moves episodes moves_per_second mean_score mean_error"
    awk -F '\t' 'NF != 5 {exit 1} NR > 1 {if ($1 - last < 1000 && !short++) next; if ($1 <= last || $5 <= 0) exit 1; last = $1}' log ||
        fail "$(cat log)"
    equal last "$(tail -n 1 log | cut -f 1,2)" "$(ntuple-info run.w | awk -F '\t' '$1 == "moves" {m = $2} $1 == "episodes" {print m "\t" $2}')"
    # Weighted by episodes, the scores are those of the stream.
    mean=$(awk -F '\t' 'NR > 1 {sum += $4 * ($2 - last); last = $2} END {printf "%.0f", sum / last}' log)
    equal mean "$mean" "$(episode-stat some.ep | value mean_score /dev/stdin | xargs printf '%.0f')"
    rows=$(wc -l <log)
    at_least lines "$rows" 20
    works ntuple-learn -w run.w --log log --log-every 1000 some.ep
    equal lines "$(wc -l <log)" $((2 * rows - 1))
    equal headers "$(grep -c moves log)" 1
    refused 1 'missing/log: No such file' ntuple-learn -w run.w --log missing/log some.ep
}

@test "-v adds one line with the totals" {
    ntuple-new "$fixtures/2x2.net" -o run.w
    gen-episodes -b 2x2 -n 20 >some.ep
    try ntuple-learn -v -w run.w some.ep
    equal status "$status" 0
    grep -q '^ntuple-learn: .*episodes=20 moves=[0-9]* moves_per_second=' "$T/err" || fail "no totals"
    equal lines "$(wc -l <"$T/err" | tr -d ' ')" 1
}

@test "episodes of another board are refused and change nothing" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    for board in 2x3 4x4 9x1; do
        gen-episodes -b $board -n 5 >other.ep
        refused 1 "run.w: is for 3x3 boards, the episodes have $board" ntuple-learn -w run.w other.ep
        refused 1 "run.w: is for 3x3 boards" ntuple-learn -w run.w --rule tc --checkpoint copy.w other.ep
    done
    works ntuple-info --verify run.w
}

@test "no episodes at all are an error, and change nothing" {
    ntuple-new "$fixtures/2x2.net" -o run.w
    : >empty
    refused 1 'empty: ' ntuple-learn -w run.w empty
    refused 1 'missing: No such file' ntuple-learn -w run.w missing
    refused 1 'run.w: ' ntuple-learn -w run.w run.w
    refused 1 '2x2.net: ' ntuple-learn -w run.w "$fixtures/2x2.net"
}

@test "a damaged stream ends it with status 1; the weights keep what came before" {
    gen-episodes -b 3x3 -n 400 >some.ep
    ntuple-new "$fixtures/3x3.net" -o new.w
    size=$(wc -c <some.ep)
    for rule in td tc; do
        for threads in 1 2; do
            cp new.w run.w
            cp some.ep bad.ep
            printf '\377\377\377' | dd of=bad.ep bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
            try ntuple-learn -t $threads --rule $rule -w run.w bad.ep
            equal status "$status" 1
            equal lines "$(wc -l <"$T/err" | tr -d ' ')" 1
            grep -q '^ntuple-learn: bad.ep: ' "$T/err" || fail "no reason"
            works ntuple-info --verify run.w
            at_least episodes "$(value episodes)" 150
            at_least rest 250 "$(value episodes)"
            head -c $((size - 1)) some.ep >cut.ep
            try ntuple-learn -t $threads --rule $rule -w run.w cut.ep
            equal status "$status" 1
            works ntuple-info --verify run.w
            works ntuple-learn -t $threads --rule $rule -w run.w some.ep
        done
    done
}

@test "weights that are not a number are refused and not changed" {
    ntuple-new "$fixtures/2x2.net" -o run.w
    gen-episodes -b 2x2 -n 5 >some.ep
    for half in '\001\174' '\000\174' '\377\377'; do
        # shellcheck disable=SC2059 # the bytes
        printf "$half" | dd of=run.w bs=1 seek=4098 conv=notrunc 2>/dev/null
        refused 1 'run.w: .*not a number' ntuple-learn -w run.w some.ep
        refused 1 'run.w: .*not a number' ntuple-learn --lockstep --rule tc -w run.w some.ep
        refused 1 'run.w: .*not a number' gen-episodes -w run.w -n 1
        refused 1 'run.w: .*not a number' ntuple-eval -w run.w some.ep
    done
}

@test "values that run away end it with a reason" {
    ntuple-new "$fixtures/2x2.net" -o run.w
    gen-episodes -b 2x2 -n 2000 >some.ep
    try ntuple-learn -w run.w --rate 10 some.ep
    equal status "$status" 1
    grep -q '^ntuple-learn: run.w: .*rate is too high' "$T/err" || fail "no reason"
    # The file can still be opened.
    works ntuple-info --verify run.w
}

@test "what is no weights file, or may not be written, is refused" {
    gen-episodes -b 2x2 -n 5 >some.ep
    mkdir folder
    refused 1 'folder: ' ntuple-learn -w folder some.ep
    refused 1 'missing: No such file' ntuple-learn -w missing some.ep
    refused 1 'some.ep: not a weights file' ntuple-learn -w some.ep some.ep
    [ "$(id -u)" != 0 ] || return 0
    ntuple-new "$fixtures/2x2.net" -o run.w
    chmod 400 run.w
    refused 1 'run.w: Permission denied' ntuple-learn -w run.w some.ep
}

@test "misuse is told in one line, with status 2" {
    ntuple-new "$fixtures/2x2.net" -o run.w
    refused 2 '-w FILE is needed' ntuple-learn
    refused 2 "rule: 'sarsa': " ntuple-learn -w run.w --rule sarsa
    refused 2 "update: 'never': " ntuple-learn -w run.w --update never
    for bad in -1 10.5 nan x ''; do
        refused 2 "rate: '.*': " ntuple-learn -w run.w --rate "$bad"
    done
    for bad in -0.1 1.1 nan x ''; do
        refused 2 "lambda: '.*': " ntuple-learn -w run.w --lambda "$bad"
    done
    refused 2 "horizon: '65': " ntuple-learn -w run.w --horizon 65
    refused 2 "every: '0': " ntuple-learn -w run.w --every 0
    for bad in 0 65 x ''; do
        refused 2 "steps: '$bad': " ntuple-learn -w run.w --steps "$bad"
    done
    refused 2 'steps above 1 has no --lambda' ntuple-learn -w run.w --steps 2 --lambda 0.5
    refused 2 'steps above 1 is delayed or backward' ntuple-learn -w run.w --steps 2 --update standard
    for bad in 1 1:2 1:2:3:4 1:2:0 1:2:x 1:2: :2:3 1::3 11:1:5 1:-1:5 nan:1:5 1:2:18446744073709551616; do
        refused 2 "rate-schedule: '$bad': " ntuple-learn -w run.w --rate-schedule $bad
    done
    refused 2 'rate and --rate-schedule exclude' ntuple-learn -w run.w --rate 1 --rate-schedule 1:1:1
    refused 2 'needs --switch' ntuple-learn -w run.w --rule td-then-tc
    for bad in 0 -1 x ''; do
        refused 2 "switch: '$bad': " ntuple-learn -w run.w --rule td-then-tc --switch "$bad"
        refused 2 "tc-reset: '$bad': " ntuple-learn -w run.w --rule tc --tc-reset "$bad"
    done
    refused 2 "tc-rate: '11': " ntuple-learn -w run.w --rule td-then-tc --switch 1 --tc-rate 11
    for rule in td tc; do
        refused 2 'switch is for --rule td-then-tc' ntuple-learn -w run.w --rule $rule --switch 5
        refused 2 'tc-rate is for --rule td-then-tc' ntuple-learn -w run.w --rule $rule --tc-rate 1
    done
    refused 2 'tc-reset is for --rule tc' ntuple-learn -w run.w --tc-reset 5
    refused 2 "threads: '257': " ntuple-learn -w run.w -t 257
    refused 2 'unexpected operand' ntuple-learn -w run.w a b
}
