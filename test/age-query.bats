#!/usr/bin/env bats
load helper

setup_file() {
    export SOLVED="${BATS_FILE_TMPDIR:-$(mktemp -d)}/solved"
    PATH=${BIN:-$BATS_TEST_DIRNAME/../bin}:$PATH
    age-enumerate -b 2x3 -d "$SOLVED" && age-backup -d "$SOLVED"
}

# Column K of the line after the header.
column() { sed -n 2p "$T/out" | cut -f "$1"; }

@test "a state has its value, its best moves, and the values of all" {
    works bash -c 'echo 2,2,0/0,0,0 | age-query -d "$SOLVED"'
    head -n 1 "$T/out" | grep -q -x "$(printf 'board\tage\tvalue\tbest\tleft\tup\tright\tdown\tnote')"
    equal board "$(column 1)" 2,2,0/0,0,0
    equal age "$(column 2)" 4
    equal up "$(column 6)" -
    awk -v v="$(column 3)" 'BEGIN {exit !(v > 480.98 && v < 480.99)}' || fail "value $(column 3)"
}

@test "images of a state have the same value" {
    printf '%s\n' 2,4,0/0,8,0 0,8,0/2,4,0 0,4,2/0,8,0 0,8,0/0,4,2 | age-query -d "$SOLVED" | cut -f 3 | sed 1d | sort -u >values
    equal different "$(wc -l <values)" 1
}

@test "terminal and unreachable states are told apart" {
    works bash -c 'echo 2,4,2/4,2,4 | age-query -d "$SOLVED"'
    equal terminal "$(column 3) $(column 4) $(column 9)" "0 - "
    works bash -c 'echo 128,128,128/128,128,128 | age-query -d "$SOLVED"'
    equal note "$(column 9)" "not reachable"
    equal value "$(column 3)" -
}

@test "a directory solved in part answers for what it has" {
    age-enumerate -b 2x3 -d part --to 20
    works bash -c 'echo 2,2,0/0,0,0 | age-query -d part'
    column 9 | grep -q 'age 4 has no values' || fail "note: $(column 9)"
    works bash -c 'echo 32,2,0/0,0,0 | age-query -d part'
    column 9 | grep -q 'age 34 is not enumerated' || fail "note: $(column 9)"
}

@test "the losses of an episode are those of its moves, and the summary adds them up" {
    gen-episodes -b 2x3 -n 50 -s 4 >games.ep
    works age-query -d "$SOLVED" --episodes games.ep
    cp "$T/out" each
    equal lines "$(($(wc -l <each) - 1))" "$(episode-stat games.ep | awk '$1 == "moves" {print $2}')"
    awk -F '\t' 'NR > 1 && ($7 < 0 || ($7 > 0 && $4 - $6 != $7)) {exit 1}' each || fail "a loss is not the difference"
    works age-query -d "$SOLVED" --episodes --summary games.ep
    awk -F '\t' 'NR > 1 {n++; loss += $7; best += $7 == 0} END {printf "%d %.6f %.6f\n", n, best / n, loss / n}' each >wanted
    awk -F '\t' '$1 == "all" {printf "%d %.6f %.6f\n", $2, $4, $5}' "$T/out" | diff wanted -
}

@test "moves from starts that no game comes to are counted as unknown" {
    age-enumerate -b 1x8 -d line && age-backup -d line
    for tile in 64 131072; do
        printf '%s\t%s\t%s\t%s\n' episodes 1 '' '' board 1x8 '' '' p4 0.1 '' '' seed 1 '' '' player p '' '' \
            episode 1 jump '' "$tile$(printf ",$tile%.0s" 1 2 3 4 5 6 7)" left - 2@4 - right - 4@0 \
            - cut $((16 * tile)) '' end 1 2 '' | sed 's/\t*$//' >text
        episode-text -r text >games.ep
        works age-query -d line --episodes games.ep
        equal notes "$(sed 1d "$T/out" | cut -f 8 | sort -u)" "not reachable"
        works age-query -d line --episodes --summary games.ep
        equal unknown "$(awk '$1 == "all" {print $2, $3}' "$T/out")" "0 2"
    done
}

@test "damaged, cut and missing files are refused by their names" {
    cp -R "$SOLVED" s
    printf x | dd of=s/score/00004.val bs=1 seek=12 conv=notrunc 2>/dev/null
    refused 1 's/score/00004.val: ' bash -c 'echo 2,2,0/0,0,0 | age-query -d s'
    truncate -s 50 s/score/00004.val
    refused 1 's/score/00004.val: ' bash -c 'echo 2,2,0/0,0,0 | age-query -d s'
    rm s/score/00004.val
    refused 1 's/score/00004.val: No such file' bash -c 'echo 2,2,0/0,0,0 | age-query -d s'
    cp "$SOLVED/score/00006.val" s/score/00004.val
    refused 1 's/score/00004.val: not the file' bash -c 'echo 2,2,0/0,0,0 | age-query -d s'
    rm s/afterstates/00004.ef
    refused 1 's/afterstates/00004.ef: No such file' bash -c 'echo 2,2,0/0,0,0 | age-query -d s'
}

@test "misuse is explained" {
    refused 2 '-d is needed' age-query
    refused 2 'goes with --episodes' age-query -d "$SOLVED" --summary
    refused 1 'line 1' bash -c 'echo 2,2 | age-query -d "$SOLVED"'
    refused 1 'no solution' age-query -d nowhere
    refused 1 'score-best: no solution' age-query -d "$SOLVED" --values score-best
    gen-episodes -b 2x2 -n 1 >other.ep
    refused 1 '2x2 boards' age-query -d "$SOLVED" --episodes other.ep
}
