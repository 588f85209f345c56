#!/usr/bin/env bats
load helper

# The text of one game on 1x2, with a substitution (sed) in it.
game() {
    printf '%s\n' 'episodes	1' 'board	1x2' 'p4	0.1' 'seed	2' 'player	random' '' \
        'episode	1	normal' '2,2	left	4	2@1' '4,2	over	4' '' 'end	1	1' | sed "${1-}"
}

@test "the smallest stream becomes the text of the manual page, and back" {
    works episode-text "$fixtures/smallest.ep"
    game | diff - "$T/out"
    game | episode-text -r | cmp - "$fixtures/smallest.ep"
}

@test "streams of every shape come back from text as they were" {
    for board in 1x2 2x1 2x2 1x5 2x5 3x3 4x3 3x4 2x8 4x4 16x1; do
        gen-episodes -b $board -n 40 -s 9 --p4 0.3 >stream
        episode-text stream >text
        episode-text -r text | cmp - stream
        episode-text -r <text | episode-text | cmp - text
    done
}

@test "joined streams come back too, each with its own header" {
    gen-episodes -b 2x3 -n 5 -s 1 >one
    gen-episodes -b 2x3 -n 4 -s 2 --p4 0.7 >two
    cat one two one >all
    episode-text all >text
    equal headers "$(grep -c '^board' text)" 3
    equal last "$(grep '^episode	' text | tail -n 1 | cut -f 2)" 14
    episode-text -r text | cmp - all
}

@test "odd probabilities, seeds and players come back exactly" {
    for p4 in 0 1 0.1 0.30000000000000004 1e-300 5e-324 0.3333333333333333; do
        game "s/^p4.*/p4	$p4/; s/^seed.*/seed	18446744073709551615/; s/^player.*/player	 ~ odd #/" >text
        episode-text -r text >stream
        episode-text stream >again
        episode-text -r again | cmp - stream
        grep -q '^seed	18446744073709551615$' again
        grep -q '^player	 ~ odd #$' again
    done
    game 's/^player.*/player	/' | episode-text -r | episode-text | grep -q '^player	$'
    long=$(printf '%0200d' 7)
    game "s/^player.*/player	$long/" | episode-text -r | episode-text | grep -q "^player	$long\$"
}

@test "empty lines, comments and spaces are allowed, - is not compared, nor is the last newline" {
    { echo '# a game' && echo && game 's/^2,2/ 2 , 2 /; s/left	4/left	-/; s/^4,2	over/-	over/'; } >text
    grep -q '^ 2 , 2 	left	-	2@1$' text
    episode-text -r text | cmp - "$fixtures/smallest.ep"
    printf '%s' "$(game)" | episode-text -r | cmp - "$fixtures/smallest.ep"
}

@test "--episode cuts one game out, as a stream of its own" {
    gen-episodes -b 3x3 -n 7 -s 5 >games
    works episode-text --episode 4 games
    cp "$T/out" text
    equal number "$(grep -c '^episode	4	normal' text)" 1
    episode-text -r text | episode-stat --each | tail -n 1 | cut -f 2- >one
    episode-stat --each games | sed -n 5p | cut -f 2- | cmp - one
    episode-text -e 7 games | grep -q '^episode	7	'
    refused 1 'games: has only 7 episodes' episode-text -e 8 games
}

@test "--show draws every board, in colour if asked to" {
    works episode-text --show "$fixtures/smallest.ep"
    printf 'episode 1, start (normal)\n      2      2\n\nstep 1: left +4, score 4\n      4      2\n\n' |
        diff - "$T/out"
    works episode-text --show --colour never "$fixtures/smallest.ep"
    not grep -q "$(printf '\033')" "$T/out"
    works episode-text --show --colour always "$fixtures/smallest.ep"
    grep -q "$(printf '\033')\\[48;5;" "$T/out" || fail "no colour"
    works episode-text --show --colour always --delay 1 "$fixtures/smallest.ep"
    grep -q "$(printf '\033')\\[H" "$T/out" || fail "not in place"
}

@test "--show colours on a terminal, unless NO_COLOR is set" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no script(1) that runs a command"
    export PATH FILE="$fixtures/smallest.ep"
    script -qec 'episode-text --show "$FILE"' /dev/null </dev/null >"$T/out"
    grep -q '48;5;' "$T/out" || fail "no colour"
    NO_COLOR=1 script -qec 'episode-text --show "$FILE"' /dev/null </dev/null >"$T/out"
    ! grep -q '48;5;' "$T/out" || fail "colour in spite of NO_COLOR"
}

@test "drawn boards have a line a row and a column a cell, however large the tiles" {
    printf '%s\n' 'episodes	1' 'board	2x3' 'p4	0.1' 'seed	1' 'player	x' 'episode	1	given' \
        '131072,65536,2/0,0,0	cut	0' 'end	1	0' | episode-text -r | episode-text --show >drawn
    printf 'episode 1, start (given)\n 131072  65536      2\n      .      .      .\n\n' | diff - drawn
}

@test "text that breaks the rules is refused with the line's number" {
    bad() {
        game "$2" >text
        not cmp -s text <(game) || fail "'$2' changes nothing"
        refused 1 "text: ($1)" episode-text -r text -o new
        refused 1 "text: ($1)" episode-text -r text
    }
    bad 'line 1: not the text' '1s/1/2/'
    bad 'line 1: not the text' '1s/episodes/games/'
    bad "line 2: 'board' expected" 2d
    bad 'line 2: not a board' 's/1x2/1by2/'
    bad 'line 2: a board has' 's/1x2/5x5/'
    bad 'line 3: must be' 's/0\.1/1.1/'
    bad 'line 3: not a number' 's/0\.1/often/'
    bad 'line 4: not a whole' 's/seed	2/seed	-2/'
    bad 'line 4: number too large' 's/seed	2/seed	18446744073709551616/'
    bad 'line 5: .*too long' "s/random/$(printf '%0201d' 7)/"
    bad 'line 5: .*printable' "s/random/$(printf 'r\001')/"
    bad 'line 7: ' 's/normal/odd/'
    bad 'line 7: ' 's/episode	1/episode	one/'
    bad "line 7: 'episode' or 'end'" 's/^episode	/game	/'
    bad 'line 8: .*2' 's/^2,2/2,2,2/'
    bad 'line 8: 3 is no tile' 's/^2,2/2,3/'
    bad 'line 8: not a normal start' 's/^2,2/8,8/'
    bad 'line 8: not a normal start' 's/^2,2/2,0/'
    bad "line 8: 'west' is no move" 's/left/west/'
    bad 'line 8: the move is not legal' 's/left/up/'
    bad 'line 8: the reward' 's/left	4/left	8/'
    bad 'line 8: not a whole' 's/left	4/left	four/'
    bad 'line 8: spawn must be' 's/2@1/8@1/'
    bad 'line 8: spawn must be' 's/2@1/2-1/'
    bad 'line 8: spawn cell' 's/2@1/2@16/'
    bad 'line 8: .*not empty' 's/2@1/2@0/'
    bad 'line 8: .*not empty' 's/2@1/2@5/'
    bad 'line 8: four fields' 's/	2@1//'
    bad 'line 8: too many' 's/2@1/2@1	more/'
    bad 'line 9: the state' 's/^4,2/2,4/'
    bad 'line 9: the state' 's/2@1/4@1/'
    bad 'line 9: the score' 's/over	4/over	8/'
    bad 'line 9: not a whole' 's/over	4/over	/'
    bad 'line 9: a state, .over' 's/over	4/over	4	4/'
    bad 'line 9: is over, not cut' 's/over/cut/'
    bad 'line 8: the game is not over' '/left/d; s/4,2	over	4/2,2	over	0/'
    bad 'line 11: counts other' 's/^end	1/end	2/'
    bad 'line 11: counts other' 's/^end	1	1/end	1	0/'
    bad "line 11: 'end' with" 's/^end	1	1/end	1/'
    bad "line 11: 'end' with" 's/^end	1	1/end	x	1/'
    bad "ends before 'end'" '/^end/d'
    { game && echo 'episode	2	normal'; } >text
    refused 1 'text: line 12: not the text' episode-text -r text -o new
}

@test "a second stream with other boards is refused" {
    { game; game 's/1x2/2x1/; s/2,2/2\/2/; s/left/up/; s/4,2/4\/2/'; } >text
    refused 1 'text: line 13: another board' episode-text -r text -o new
}

@test "a zero byte, a very long line and binary input are refused as text" {
    printf 'episodes\t1\nbo\0ard' >zero
    refused 1 'zero: line 2: has a zero byte' episode-text -r zero
    head -c 3000000 /dev/zero | tr '\0' x >long
    refused 1 'long: line too long' episode-text -r long
    refused 1 'smallest.ep: line 1: ' episode-text -r "$fixtures/smallest.ep"
}

@test "text cut at any byte is refused" {
    game >whole
    size=$(wc -c <whole)
    # Without its very last newline the text is still complete.
    for n in $(seq 0 $((size - 2))); do
        head -c "$n" whole >text
        refused 1 'text: ' episode-text -r text
    done
}

@test "every bad fixture is refused, by the text and by the picture" {
    cd "$fixtures/bad"
    for file in *; do
        refused 1 "$file: ." episode-text -o "$T/file" "$file"
        refused 1 "$file: ." episode-text --show -o "$T/file" "$file"
        [ ! -e "$T/file" ]
    done
}

@test "empty, missing and unreadable input is refused both ways" {
    for way in '' -r; do
        # shellcheck disable=SC2086
        {
            refused 1 'standard input: empty' episode-text $way </dev/null
            refused 1 'missing: No such file' episode-text $way missing
            refused 1 '\.: is a directory' episode-text $way .
        }
    done
}

@test "failures of the output are told and leave nothing" {
    refused 1 'missing/file: No such file' episode-text -o missing/file "$fixtures/smallest.ep"
    refused 1 'missing/file: No such file' episode-text -r -o missing/file <(game)
    [ -c /dev/full ] || return 0
    full() { "$@" >/dev/full; }
    refused 1 'standard output: No space left' full episode-text "$fixtures/smallest.ep"
    refused 1 'standard output: No space left' full episode-text -r <(game)
    gen-episodes -n 500 >games
    refused 1 'standard output: No space left' full episode-text games
    refused 1 'standard output: No space left' full episode-text --show games
}

@test "binary output to a terminal is refused" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no script(1) that runs a command"
    export PATH
    game >text
    script -qec 'episode-text -r text; echo "status $?"' /dev/null </dev/null >"$T/out" 2>&1
    grep -q 'standard output: is a terminal' "$T/out" || fail "not refused"
    grep -q 'status 1' "$T/out" || fail "another status"
}

@test "a reader that goes away ends it quietly" {
    gen-episodes -n 2000 >games
    { episode-text games 2>"$T/err" || echo "$?" >"$T/status"; } | head -c 100 >got
    [ ! -s "$T/err" ] || fail "not quiet"
    equal status "$(cat "$T/status")" 141
}

@test "misuse is told in one line, with status 2" {
    refused 2 'goes with neither' episode-text -r --show
    refused 2 'goes with neither' episode-text -r -e 1
    refused 2 "episode: '0': must be at least 1" episode-text -e 0
    refused 2 "episode: 'x': not a whole" episode-text -e x
    refused 2 "colour: 'red': must be one of auto, always, never" episode-text --colour red
    refused 2 "delay: '60001': must be at most 60000" episode-text --delay 60001
    refused 2 '--stat: unknown' episode-text --stat
    refused 2 'two: unexpected operand' episode-text one two
}
