#!/usr/bin/env bats
load helper

# Weights that know something, in run.w.
learn() {
    ntuple-new "$fixtures/$1.net" --init 50 -o run.w
    gen-episodes -b "$1" -n 300 | ntuple-learn -w run.w
}

# solve BOARD DIR: both passes.
solve() {
    age-enumerate -b "$1" -d "$2"
    age-backup -d "$2"
}

# moves OPTIONS: the games without their header.
moves() { expectimax-play -w run.w "$@" | episode-text | sed 1,/^$/d; }

# answer BOARD OPTIONS: the columns of its line but nodes and time.
answer() { echo "$1" | expectimax-play -w run.w --advise "${@:2}" | sed 1d | cut -f 1-7,10; }

# The columns of values in $T/out, all lines.
values() { sed 1d "$T/out" | cut -f 3-6; }

@test "-d 1 plays the games of gen-episodes -w, byte for byte" {
    for net in 2x3 3x3 4x4; do
        learn $net
        for options in "-n 1" "-n 100 -s 7" "-n 40 --p4 0.5 -t 1"; do
            # shellcheck disable=SC2086
            gen-episodes -w run.w $options >greedy
            # shellcheck disable=SC2086
            expectimax-play -w run.w -d 1 $options | cmp greedy -
        done
    done
    solve 2x2 s
    expectimax-play -w s -d 1 -n 50 | cmp - <(gen-episodes -w s -n 50)
}

@test "threads, table and code do not change a byte" {
    for net in 3x3 4x4; do
        learn $net
        for limit in "-d 2 -n 6" "-d 4 -n 1 --limit 3-:2" "-d 5 -n 2 --cutoff 0.04"; do
            # shellcheck disable=SC2086
            {
                expectimax-play -w run.w $limit -s 5 -t 1 --table 0 >one
                for options in "-t 1" "-t 2" "-t 3 --table 0" "-t 7 --table 1M" "-t 1 --table 100M"; do
                    expectimax-play -w run.w $limit -s 5 $options | cmp one - || fail "$limit $options"
                done
                PIPE2048_CPU=plain expectimax-play -w run.w $limit -s 5 | cmp one - || fail "$limit plain"
            }
        done
    done
}

@test "the header tells who played" {
    learn 2x3
    expectimax-play -w run.w -d 2 -n 3 --downgrade 64 --cutoff 0.001 --limit 3-:1 -o some.ep
    works episode-text some.ep
    equal player "$(value player)" "expectimax, n-tuple network, 2-ply, downgrade 64, cutoff 0.001, limit 3-:1"
    equal board "$(value board)" 2x3
    works episode-stat some.ep
    equal episodes "$(value episodes)" 3
    solve 2x2 s
    expectimax-play -w s --time 2.5 -n 1 -o some.ep
    works episode-text some.ep
    equal player "$(value player)" "expectimax, solved board, 2.5 ms"
}

@test "whoever looks further scores more" {
    learn 3x3
    for plies in 1 2 3; do
        expectimax-play -w run.w -d $plies -n 400 -o $plies.ep
        works episode-stat $plies.ep
        awk '{v[$1] = $2} END {e = 1.96 * v["stddev_score"] / sqrt(v["episodes"])
            print v["mean_score"] - e, v["mean_score"] + e}' "$T/out" >>range
    done
    awk 'NR > 1 && $1 <= top {exit 1} {top = $2}' range || fail "$(cat range)"
}

@test "a search over a solved board has the exact values, however deep" {
    for board in 2x2 2x3; do
        solve $board s$board
        gen-episodes -b $board -n 12 -s 3 | episode-text | grep -E '@|[0-9]$' | cut -f 1 | grep / >boards
        age-query -d s$board boards | sed 1d | cut -f 4-8 >exact
        for plies in 1 2 3 4 5; do
            works expectimax-play -w s$board --advise -d $plies boards
            sed 1d "$T/out" | cut -f 2-6 | paste exact - | awk -F '\t' '
                { split($1, best, ","); if (best[1] != $6) exit 1 }
                { for (i = 2; i <= 5; i++) {
                    if (($i == "-") != ($(i + 5) == "-")) exit 1
                    if ($i != "-" && ($i - $(i + 5)) ^ 2 > 0.0001 ^ 2) exit 1
                    if ($i != "-") n++ } }
                END { if (n < 100) exit 1 }' || fail "$board, $plies plies"
        done
        expectimax-play -w s$board -d 3 -n 30 -o games.ep
        works age-query -d s$board --episodes --summary games.ep
        equal loss "$(awk '$1 == "all" {print $3, $4, $5, $6}' "$T/out")" "0 1 0 0"
    done
}

@test "only expected scores of a solved board are searched" {
    solve 2x2 s
    age-backup -d s --objective reach:16
    refused 1 's/reach-16: values that are no expected scores' expectimax-play -w s/reach-16 -d 2 -n 1
    works expectimax-play -w s/reach-16 -d 1 -n 1 -o one.ep
    refused 1 'is solved with --p4 0.1, not 0.5' expectimax-play -w s -d 2 -n 1 --p4 0.5
}

@test "advice has a line a board, and at one ply the values of ntuple-eval" {
    learn 3x3
    printf '%s\n' 2,2,0/0,4,0/0,0,8 4,2,4/2,4,8/4,2,2 2,0,0/0,0,0/0,0,2 >boards
    works expectimax-play -w run.w --advise -d 1 boards
    equal header "$(head -n 1 "$T/out")" "$(printf 'board\tbest\tleft\tup\tright\tdown\tdepth\tnodes\tms\tnote')"
    cut -f 1-6 "$T/out" | cmp - <(ntuple-eval -w run.w boards | cut -f 1,3-7)
    works expectimax-play -w run.w --advise -d 3 - <boards
    equal boards "$(cut -f 1 "$T/out" | sed 1d)" "$(cat boards)"
    equal depth "$(cut -f 7 "$T/out" | sed 1d | sort -u)" 3
    awk -F '\t' 'NR > 1 && !($8 > 10 && $9 > 0 && NF == 10) {exit 1}' "$T/out" || fail "nodes or time"
    works expectimax-play -w run.w --advise --time 5 boards -o table
    awk -F '\t' 'NR > 1 && !($7 > 2) {exit 1}' table || fail "not deep"
}

@test "two plies are the mean over tiles of the best of one ply" {
    learn 2x3
    # Left leads to 4,2,0/8,16,0 with two empty cells.
    left=$(answer 2,2,2/8,16,0 -d 2 | cut -f 3)
    for state in 4,2,2/8,16,0 4,2,4/8,16,0 4,2,0/8,16,2 4,2,0/8,16,4; do
        answer $state -d 1
    done | awk -F '\t' -v left="$left" '
        { best = "-"; for (i = 3; i <= 6; i++) if ($i != "-" && (best == "-" || $i > best)) best = $i
          sum += best * (NR % 2 ? 0.9 : 0.1) / 2 }
        END { off = left - 4 - sum; exit off * off > 1e-6 }' || fail "$left"
}

@test "terminal and impossible boards are told in their line, and reading goes on" {
    learn 3x3
    printf '%s\n' 2,4,2/4,2,4/2,4,2 0,0,0/0,0,0/0,0,2 8,8,0/0,0,0/0,0,0 2048,2,0/0,0,0/0,0,0 '' 2,2,0/0,0,0/0,0,0 >boards
    works expectimax-play -w run.w --advise -d 2 boards
    cut -f 2,7-8,10 "$T/out" | sed 1d | head -n 4 >got
    printf '%s\n' "- - - terminal: no move is legal" "- - - terminal: no move is legal" \
        "- - - impossible: no 2 or 4" "- - - impossible: too many large tiles" >want
    printf '%s\n' 0,0,0/0,0,0/0,0,2 >one
    sed 's/	/ /g; s/ that can have appeared last//' got >short
    sed -n 2p short | grep -q 'impossible: a state has at least two tiles' || fail "one tile"
    sed 2d short | diff <(sed 2d want) - || fail "other notes"
    equal last "$(tail -n 1 "$T/out" | cut -f 7)" 2
    solve 2x3 s
    printf '%s\n' 64,64,64/32,32,2 2,2,0/0,0,0 >boards
    works expectimax-play -w s --advise -d 2 boards
    sed -n 2p "$T/out" | cut -f 10 | grep -q 'no game comes to\|impossible' || fail "no note"
    sed -n 3p "$T/out" | cut -f 7 | grep -q -x 2 || fail "no answer"
}

@test "lines that are no boards of the shape are told, reading goes on, and the end is a failure" {
    learn 3x3
    printf '2,2,0/0,0,0/0,0,0\n2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0\n\thello\nx\000y\n2,2,0/0,0,0/0,0,3\n2,4,0/0,0,0/0,0,0\r\n' >boards
    try expectimax-play -w run.w --advise -d 2 boards
    equal status "$status" 1
    equal message "$(cat "$T/err")" "expectimax-play: boards: line 2: not a 3x3 board: '/' expected after cell 2"
    equal depths "$(sed 1d "$T/out" | cut -f 7 | tr '\n' ' ')" "2 - - - - 2 "
    equal columns "$(awk -F '\t' '{print NF}' "$T/out" | sort -u)" 10
    grep -q '^?hello	.*	a tile is missing$' "$T/out" || fail "no reason"
    grep -q '	3 is no tile$' "$T/out" || fail "no reason"
    try expectimax-play -w run.w --advise -d 2 -o table boards
    equal status "$status" 1
    [ ! -e table ] || fail "half a table"
    : >empty
    try expectimax-play -w run.w --advise -d 2 empty
    equal status "$status" 1
    grep -q 'empty: empty, no boards' "$T/err"
}

@test "a co-process gets each answer before it asks again" {
    learn 2x3
    coproc expectimax-play -w run.w --advise -d 3
    pid=$COPROC_PID
    read -r -t 20 header <&"${COPROC[0]}"
    [ "${header%%	*}" = board ]
    for board in 2,2,0/0,0,0 8,4,2/4,2,2 2,4,2/4,2,4 2,0,0/0,0,2; do
        echo $board >&"${COPROC[1]}"
        read -r -t 20 line <&"${COPROC[0]}"
        equal board "${line%%	*}" $board
    done
    eval "exec ${COPROC[1]}>&-"
    wait "$pid"
}

@test "--limit sets the plies by empty cells" {
    learn 3x3
    moves -d 2 -n 5 >two
    moves -d 3 -n 5 >three
    moves --limit 0-:2 -n 5 | cmp two -
    moves -d 4 --limit 0-16:2 -n 5 | cmp two -
    moves -d 3 --limit 0-9:5 -n 5 | cmp three -
    moves -d 3 --limit 0-9:1 -n 5 | cmp - <(moves -d 1 -n 5)
    moves --limit 0-3:3,4-:2 -n 5 >some
    not cmp -s some two
    not cmp -s some three
    # Left leaves 7 empty cells: one ply is the evaluator's value there.
    equal limited "$(answer 2,2,0/2,0,0/0,0,0 -d 3 --limit 7:1 | cut -f 3)" \
        "$(answer 2,2,0/2,0,0/0,0,0 -d 1 | cut -f 3)"
    for bad in '' 3 3:0 3:16 17:2 4-3:2 '3:2,' x; do
        refused 2 "limit: '.*': " expectimax-play -w run.w --limit "$bad" -n 1
    done
}

@test "--cutoff does not look behind what is unlikely" {
    learn 3x3
    moves -d 3 -n 5 >three
    moves -d 3 -n 5 --cutoff 1e-9 | cmp three -
    moves -d 3 -n 5 --cutoff 1 | cmp - <(moves -d 2 -n 5)
    echo 2,2,0/2,0,0/0,0,4 | expectimax-play -w run.w --advise -d 4 | sed 1d | cut -f 8 >all
    echo 2,2,0/2,0,0/0,0,4 | expectimax-play -w run.w --advise -d 4 --cutoff 0.01 | sed 1d | cut -f 8 >some
    [ $(($(cat some) * 2)) -lt "$(cat all)" ] || fail "$(cat some) of $(cat all) nodes"
    for bad in 0 -1 1.5 x ''; do refused 2 "cutoff: '.*': " expectimax-play -w run.w -d 3 --cutoff "$bad" -n 1; done
}

@test "--downgrade sees large tiles as smaller ones when one below is missing" {
    learn 3x3
    equal smaller "$(answer 512,64,32/4,2,0/0,0,0 -d 2 --downgrade 512 | cut -f 2-7)" \
        "$(answer 256,64,32/4,2,0/0,0,0 -d 2 | cut -f 2-7)"
    equal smallest "$(answer 512,64,32/4,2,0/0,0,0 -d 2 --downgrade 128 | cut -f 2-7)" \
        "$(answer 64,32,16/4,2,0/0,0,0 -d 2 | cut -f 2-7)"
    equal below "$(answer 512,64,32/4,2,0/0,0,0 -d 2 --downgrade 1024)" "$(answer 512,64,32/4,2,0/0,0,0 -d 2)"
    equal complete "$(answer 64,32,16/8,4,2/0,0,0 -d 2 --downgrade 8)" "$(answer 64,32,16/8,4,2/0,0,0 -d 2)"
    expectimax-play -w run.w -d 2 --downgrade 32 -n 3 | episode-stat >stat
    equal episodes "$(value episodes stat)" 3
    for bad in 4 100 262144 x ''; do
        refused 2 "downgrade: '.*': " expectimax-play -w run.w -d 2 --downgrade "$bad" -n 1
    done
}

@test "--from starts all games with a board" {
    learn 3x3
    for plies in 1 2; do
        works expectimax-play -w run.w -d $plies -n 4 --from '64,32,2/4, 8,./2,0,0' -o some.ep
        works episode-text some.ep
        equal how "$(grep '^episode	' "$T/out" | cut -f 3 | sort | uniq -c | tr -d ' ')" 4given
        equal start "$(grep -A 1 '^episode	' "$T/out" | grep / | cut -f 1 | sort -u)" 64,32,2/4,8,0/2,0,0
        works episode-stat some.ep
    done
    refused 2 "from: '2,2/2,0': not a 3x3 board" expectimax-play -w run.w -d 2 -n 1 --from 2,2/2,0 -o never
    refused 2 'from: .*no move is legal' expectimax-play -w run.w -d 2 -n 1 --from 2,4,2/4,2,4/2,4,2 -o never
    refused 2 'from: .*3 is no tile' expectimax-play -w run.w -d 2 -n 1 --from 3,4,2/4,2,4/2,4,2
    refused 2 'from is for games' expectimax-play -w run.w -d 2 --advise --from 2,4,2/4,2,4/2,2,0
}

@test "--time is kept, by the first move too, and -v tells how well" {
    learn 3x3
    for ms in 1 10; do
        try expectimax-play -w run.w --time $ms -n 1 -t 1 -v -o some.ep
        equal status "$status" 0
        equal lines "$(wc -l <"$T/err" | tr -d ' ')" 1
        grep -q -E '^expectimax-play: episodes=1 moves=[0-9]+ plies=[0-9.]+ ms_mean=.* ms_p50=.* ms_p99=.* ms_most=.* nodes_per_second=.* moves_per_second=.* seconds=' "$T/err" || fail "no totals"
        # Half of the moves at least, whatever else this machine does meanwhile.
        sed 's/.*ms_p50=\([^ ]*\).*/\1/' "$T/err" | awk -v ms=$ms '{exit $1 > 1.2 * ms + 1}' || fail "late"
        episode-stat some.ep
    done
    # There is time for more than one ply, and -d is the most.
    echo 64,32,16/16,8,4/4,2,0 >board
    [ "$(expectimax-play -w run.w --advise --time 200 board | sed 1d | cut -f 7)" -gt 2 ] || fail "not deep"
    equal most "$(expectimax-play -w run.w --advise --time 200 -d 2 board | sed 1d | cut -f 7)" 2
    for bad in 0 -1 x '' 1e10; do refused 2 "time: '.*': " expectimax-play -w run.w --time "$bad" -n 1; done
}

# Until a file has something in it.
wait_for() {
    for _ in $(seq 500); do
        [ ! -s "$1" ] || return 0
        sleep 0.02
    done
    fail "$1 stays empty"
}

@test "an interrupt ends after the move with a complete stream of the finished games" {
    learn 2x3
    for options in "TERM -t 1" "TERM -t 3" "INT -t 2"; do
        signal=${options%% *}
        # Shells let programs in the background ignore SIGINT.
        default=(env --default-signal=INT)
        if ! "${default[@]}" true 2>/dev/null; then
            default=()
            [ "$signal" = TERM ] || continue
        fi
        : >some.ep
        # shellcheck disable=SC2086
        "${default[@]}" expectimax-play -w run.w -d 3 -n 100000000 ${options#* } >some.ep 2>"$T/err" &
        pid=$!
        wait_for some.ep
        sleep 0.2
        kill -s "$signal" $pid
        ended=0
        wait $pid || ended=$?
        equal status "$ended" $((128 + $(kill -l "$signal")))
        [ ! -s "$T/err" ] || fail "not quiet"
        works episode-stat some.ep
        [ "$(value episodes)" -gt 0 ] || fail "no games"
    done
    # The games are those of an uninterrupted run.
    n=$(value episodes)
    episode-stat --each some.ep >each
    expectimax-play -w run.w -d 3 -n "$n" -t 1 | episode-stat --each | head -n 20 | cmp - <(head -n 20 each)
}

@test "an interrupt puts the output file in place" {
    learn 2x3
    expectimax-play -w run.w -d 3 -n 100000000 -o some.ep -t 1 &
    pid=$!
    sleep 0.5
    kill -s TERM $pid
    ended=0
    wait $pid || ended=$?
    equal status "$ended" 143
    works episode-stat some.ep
    equal files "$(ls)" "$(printf 'run.w\nsome.ep')"
}

@test "a second interrupt ends at once, and leaves nothing" {
    learn 4x4
    expectimax-play -w run.w -d 15 -n 1 -o some.ep -t 1 2>"$T/err" &
    pid=$!
    for _ in $(seq 200); do
        [ "$(find . -name 'some.ep*' | wc -l)" -eq 0 ] || break
        sleep 0.02
    done
    sleep 0.2
    kill -s TERM $pid
    sleep 0.3
    kill -0 $pid || fail "ended in the middle of a move"
    kill -s TERM $pid
    ended=0
    wait $pid || ended=$?
    equal status "$ended" 143
    equal files "$(ls)" run.w
    [ ! -s "$T/err" ] || fail "not quiet"
}

@test "games go to a pipe when they are over, not only at the end" {
    learn 2x3
    mkfifo pipe
    expectimax-play -w run.w -d 3 -n 100000000 -t 1 >pipe &
    pid=$!
    head -c 3000 pipe >some
    ended=0
    wait $pid || ended=$?
    equal status "$ended" 141
    equal bytes "$(wc -c <some | tr -d ' ')" 3000
}

@test "a player that looks ahead can teach the weights it plays by" {
    ntuple-new "$fixtures/3x3.net" -o run.w
    expectimax-play -w run.w -d 2 -n 300 --table 1M -s 2 | ntuple-learn -w run.w
    works ntuple-info --verify run.w
    equal learned "$(value episodes)" 300
    expectimax-play -w run.w -d 4 --limit 5-:2 -n 10 --table 1M | ntuple-learn -w run.w
}

@test "files and folders may have spaces in their names" {
    learn 2x3
    mkdir 'a b'
    mv run.w 'a b/run w'
    works expectimax-play -w 'a b/run w' -d 2 -n 2 -o 'a b/games ep'
    (cd 'a b' && works expectimax-play -w 'run w' -d 2 -n 2 && cmp "$T/out" 'games ep')
}

@test "progress is shown on a terminal only, and not with -q" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no script(1) that runs a command"
    learn 3x3
    export PATH
    script -qec 'stty cols 40; expectimax-play -w run.w -d 4 -n 40 -t 1 -o some.ep' /dev/null </dev/null >"$T/out" 2>&1
    grep -q 'moves' "$T/out" || fail "no progress"
    script -qec 'expectimax-play -q -w run.w -d 3 -n 40 -t 1 -o some.ep' /dev/null </dev/null >"$T/out" 2>&1
    [ ! -s "$T/out" ] || fail "not quiet"
    script -qec 'expectimax-play -w run.w -d 2 -n 1; echo "status $?"' /dev/null </dev/null >"$T/out" 2>&1
    grep -q 'is a terminal' "$T/out" || fail "binary on a terminal"
}

@test "misuse is told in one line, with status 2" {
    learn 2x3
    refused 2 '-w FILE is needed' expectimax-play -d 2 -n 1
    refused 2 'one of -d, --time and --limit' expectimax-play -w run.w -n 1
    refused 2 'one of -n and --advise' expectimax-play -w run.w -d 2
    refused 2 'one of -n and --advise' expectimax-play -w run.w -d 2 -n 1 --advise
    refused 2 'boards: unexpected operand' expectimax-play -w run.w -d 2 -n 1 boards
    for bad in 0 16 -1 x '' 1.5; do refused 2 "depth: '.*': " expectimax-play -w run.w -d "$bad" -n 1; done
    for bad in x -1 1.5M 1Q ''; do refused 2 "table: '.*': " expectimax-play -w run.w -d 2 --table "$bad" -n 1; done
}

@test "what cannot be had is told in one line, with status 1" {
    learn 2x3
    refused 1 'missing: No such file' expectimax-play -w missing -d 2 -n 1 -o never
    refused 1 'table of [0-9]+ MiB: more than the memory' expectimax-play -w run.w -d 2 -n 2 --table 1000T -o never
    refused 1 'table of [0-9]+ MiB: more than the memory' expectimax-play -w run.w -d 2 --advise --table 1000T
    refused 1 'boards: No such file' expectimax-play -w run.w -d 2 --advise boards
    refused 1 'folder/never: No such file' expectimax-play -w run.w -d 2 -n 1 -o folder/never
    [ -c /dev/full ] || return 0
    full() { "$@" >/dev/full; }
    refused 1 'standard output: No space left' full expectimax-play -w run.w -d 2 -n 1
}
