#!/usr/bin/env bats
# Where the episodes of gen-episodes start, and --epsilon.
load helper

# Weights that know something, in run.w.
learn() {
    ntuple-new "$fixtures/$1.net" --init 50 -o run.w
    gen-episodes -b "$1" -n 300 | ntuple-learn -w run.w
}

solve() { age-enumerate -b "$1" -d solved && age-backup -d solved; }

# restarted LINES MIN: the text of episodes on standard input is of games that
# start in the middle of the one so many before, or anew if that was too short.
restarted() {
    awk -F '\t' -v lines="$1" -v least="$2" '
        $1 == "episode" {n = $2; how[n] = $3; steps[n] = 0}
        NF == 4 {state[n, steps[n]++] = $1}
        $2 == "over" {state[n, steps[n]] = $1}
        END {
            for (i = 1; i <= n; i++) {
                last = i - lines
                if (last < 1 || steps[last] <= least) {
                    if (how[i] == "restart") bad = i
                } else {
                    restarts++
                    if (how[i] != "restart" || state[i, 0] != state[last, int(steps[last] / 2)]) bad = i
                }
            }
            if (bad) print "episode " bad " starts elsewhere"
            exit bad || restarts < n / 10
        }'
}

@test "restarts are in the middle of the play 256 before, whoever plays" {
    gen-episodes -n 2000 --start restart -o games.ep
    episode-text games.ep | restarted 256 10
    gen-episodes -b 3x3 -n 2000 --start restart:1 -t 3 | episode-text | restarted 256 1
    gen-episodes -n 2000 --start jump-l+restart:30 | episode-text | restarted 256 30
    learn 3x3
    gen-episodes -w run.w -n 2000 --start restart:7 --epsilon 0.1 | episode-text | restarted 256 7
    solve 2x3
    gen-episodes -w solved -n 2000 --start restart | episode-text | restarted 256 10
    run bash -c "$(declare -f restarted); episode-text games.ep | restarted 255 10"
    [ "$status" = 1 ] || fail "anything counts as restarted"
}

@test "threads, limits and code do not change restarts and jumps" {
    learn 3x3
    solve 2x3
    for player in "-b 4x4" "-b 4x4 --start jump-s" "-b 4x4 --start jump-s+restart" "-w run.w" "-w solved"; do
        # shellcheck disable=SC2086 # several options, the last --start counts
        set -- --start restart $player -s 5 -q
        gen-episodes "$@" -n 3000 -t 1 >one
        for threads in 2 3 9; do gen-episodes "$@" -n 3000 -t $threads | cmp one -; done
        PIPE2048_CPU=plain gen-episodes "$@" -n 3000 | cmp one -
        episode-stat --each one >all
        gen-episodes "$@" -n 700 | episode-stat --each >some
        head -n 701 all | cmp - some
        moves=$(sed 1d some | awk '{n += $3} END {print n}')
        gen-episodes "$@" -m "$moves" | episode-stat --each | cmp - some
    done
}

@test "jumps start with the tiles of the paper in turn" {
    starts() { episode-text | awk -F '\t' '$1 == "episode" {how = $3; first = 1; next} first {print how, $1; first = 0}'; }
    # The tiles of each start in order, a 2 or 4 as i.
    tiles() {
        starts | sed 's/[,\/]/ /g' | while read -r how cells; do
            # shellcheck disable=SC2086
            echo "$how $(printf '%s\n' $cells | sed 's/^[24]$/1/' | sort -nr | sed '/^0$/d; s/^1$/i/' | paste -s -d ' ' -)"
        done
    }
    gen-episodes -n 40 --start jump-s | tiles >got
    for _ in 1 2 3 4 5 6 7 8; do
        printf '%s\n' 'normal i i' 'jump 2048 i' 'jump 4096 i' 'jump 4096 2048' 'jump 8192 i'
    done | diff - got
    gen-episodes -n 5 --start jump-l | tiles >got
    printf '%s\n' 'normal i i' 'jump 4096 i' 'jump 8192 i' 'jump 8192 4096' 'jump 16384 i' | diff - got
    gen-episodes -n 5 -b 3x4 --start jump-s | starts >got
    equal episodes "$(wc -l <got | tr -d ' ')" 5
}

@test "the header tells how games start and that the player strays, nothing else changes it" {
    learn 3x3
    player() { episode-text | value player /dev/stdin; }
    equal restart "$(gen-episodes -n 1 --start restart | player)" "random, start restart:10"
    equal jump "$(gen-episodes -n 1 --start jump-l+restart:4 | player)" "random, start jump-l+restart:4"
    equal epsilon "$(gen-episodes -w run.w -n 1 --epsilon 0.25 --start restart:3 | player)" \
        "greedy n-tuple network, start restart:3, epsilon 0.25"
    gen-episodes -w run.w -n 500 -s 4 >plain
    gen-episodes -w run.w -n 500 -s 4 --epsilon 0 --start normal | cmp plain -
    gen-episodes -n 300 --start restart:9 --start normal --epsilon 0 >random
    gen-episodes -n 300 | cmp random -
}

# The share of moves that are not the best, and what chance would make of P.
strayed() {
    episode-text | awk -F '\t' 'NF == 4 {print $1 > "boards"; print $2 > "made"}'
    ntuple-eval -w run.w boards | sed 1d >values
    paste made values | awk -F '\t' -v p="$1" '
        {legal = 0; for (i = 5; i <= 8; i++) legal += $i != "-"
         worse += $1 != $4; chance = p * (legal - 1) / legal; mean += chance; spread += chance * (1 - chance)}
        END {off = worse - mean; if (off < 0) off = -off
             print worse " of " NR " moves are not the best, expected " mean; exit off > 5 * sqrt(spread)}'
}

@test "--epsilon makes as many moves random as it says" {
    learn 3x3
    head -n 1 <(echo 2,2,0/0,0,0/0,0,0 | ntuple-eval -w run.w) | grep -q '^board.value.best.left.up.right.down'
    for p in 0 0.01 0.2 1; do
        gen-episodes -w run.w -n 300 --epsilon $p | strayed $p
    done
    gen-episodes -w run.w -n 300 --epsilon 0.2 >games.ep
    run strayed 0.25 <games.ep
    [ "$status" = 1 ] || fail "any share is taken for 0.25"
    for threads in 1 3; do gen-episodes -w run.w -n 300 --epsilon 0.2 -t $threads | cmp games.ep -; done
    PIPE2048_CPU=plain gen-episodes -w run.w -n 300 --epsilon 0.2 | cmp games.ep -
}

@test "a perfect player that strays loses, one that never does loses nothing" {
    solve 2x3
    loss() { gen-episodes -w solved -n 300 "$@" | age-query -d solved --episodes --summary | awk '$1 == "all" {print $3, $4}'; }
    equal never "$(loss --epsilon 0 --start restart)" "0 1"
    loss --epsilon 0.3 >got
    awk '$1 != 0 || $2 < 0.6 || $2 > 0.95 {exit 1}' got || fail "$(cat got)"
}

@test "all readers take episodes that start anywhere" {
    learn 4x4
    gen-episodes -w run.w -n 600 --start jump-l+restart --epsilon 0.05 >games.ep
    episode-text games.ep | episode-text -r | cmp - games.ep
    episode-text games.ep | cut -f 3 | sort | uniq -c >kinds
    for how in normal jump restart; do grep -q "$how" kinds || fail "no $how"; done
    episode-text games.ep --episode 2 --show | grep -q 'start (jump)'
    works ntuple-learn -w run.w games.ep
    works ntuple-eval -w run.w --mse games.ep
    works ntuple-info --verify run.w
}

@test "scores count from the start board on, and --started chooses episodes" {
    gen-episodes -n 600 --start jump-s+restart >games.ep
    episode-stat --each games.ep >each
    episode-text games.ep | awk -F '\t' '$1 == "episode" {how = $3; score = 0} NF == 4 {score += $3}
        $2 == "over" {print how "\t" n++ "\t" score}' >text
    cut -f 2,3 text | diff - <(sed 1d each | cut -f 1,2)
    for how in normal jump restart; do
        awk -v how=$how '$1 == how {n++; sum += $3} END {printf "%d %.6f\n", n, sum / n}' text >want
        episode-stat --started $how games.ep >stat
        echo "$(value episodes stat) $(printf %.6f "$(value mean_score stat)")" | diff want -
        episode-stat --each --started=$how games.ep | sed 1d | cut -f 1 |
            diff - <(awk -v how=$how '$1 == how {print $2}' text)
    done
    works episode-stat --started given games.ep
    equal episodes "$(value episodes)" 0
    for bad in '' all Normal jump-s; do
        refused 2 "started: '.*': must be" episode-stat --started "$bad" games.ep
    done
}

@test "--lockstep restarts the last episode, and gives the same weights again" {
    for file in one two; do
        ntuple-new "$fixtures/3x3.net" -o $file.w
        gen-episodes --lockstep -w $file.w -n 300 --start restart --epsilon 0.1 | tee $file.ep |
            ntuple-learn --lockstep -w $file.w
    done
    cmp one.w two.w
    cmp one.ep two.ep
    episode-text one.ep | restarted 1 10
}

@test "ways to start and chances that do not exist are refused" {
    learn 3x3
    for bad in '' random restart: restart:0 restart:x restart:262145 restart:1.5 'restart: 5' jump jump-x jump-s+ \
        restart+jump-s carousel+restart carousel:2 normal,restart; do
        refused 2 "start: '.*': " gen-episodes -n 1 --start "$bad" -o never
    done
    for bad in '' x -0.1 1.1 nan 1e400 0x1; do
        refused 2 "epsilon: '.*': " gen-episodes -w run.w -n 1 --epsilon "$bad" -o never
    done
    refused 2 'carousel needs the stages of -w' gen-episodes -n 1 --start carousel -o never
    refused 2 'epsilon needs -w' gen-episodes -n 1 --epsilon 0.1 -o never
    refused 1 'run.w: has one stage' gen-episodes -w run.w -n 1 --start carousel -o never
    refused 1 'no game on a 3x3 board comes to 8192' gen-episodes -w run.w -n 1 --start jump-s -o never
    refused 1 'no game on a 3x4 board comes to 16384' gen-episodes -b 3x4 -n 1 --start jump-l+restart
}
