#!/usr/bin/env bats
load helper

# Numbers on the tiles, row by row.
tiles() { sed -n 's/.*<text class="tile[^>]*>\([0-9]*\)<.*/\1/p' "${1:-$T/out}" | xargs; }

# The lines below the boards.
captions() { sed -n 's/^<text class="\(ink\|soft\)"[^>]*>\(.*\)<\/text>$/\2/p' "${1:-$T/out}" | paste -sd '|'; }

boards() { grep -c '<rect class="board"' "$T/out"; }

@test "a board becomes a picture with its tiles in order" {
    echo 2,0,0,4/0,16,0,0/0,0,2,0/128,8,4,2 >b
    works board-svg b
    picture "$T/out"
    equal tiles "$(tiles)" '2 4 16 2 128 8 4 2'
    equal cells "$(grep -c 'class="t[0-9]*"' "$T/out")" 16
    equal words "$(grep -c '<title>2 0 0 4 / 0 16 0 0 / 0 0 2 0 / 128 8 4 2</title>' "$T/out")" 1
    board-svg <b | cmp - "$T/out"
}

@test "boards of every shape are drawn, side by side" {
    for shape in 1x2 2x1 2x2 1x16 16x1 2x8 3x5 4x4; do
        gen-episodes -b $shape -n 1 -s 3 | episode-text | awk -F '\t' '/^[0-9]/ && NF > 2 { print $1 }' >b
        works board-svg b
        picture "$T/out"
        equal boards "$(boards)" "$(wc -l <b)"
    done
    printf '2,2\n2/4\n2,4/8,16\n' | board-svg >mixed
    picture mixed
    equal tiles "$(tiles mixed)" '2 2 2 4 2 4 8 16'
}

@test "every tile up to 131072 has its number and its colour" {
    echo 2,4,8,16/32,64,128,256/512,1024,2048,4096/8192,16384,32768,65536 >b
    echo 131072,0 >>b
    works board-svg b
    for e in $(seq 0 17); do grep -q "class=\"t$e\"" "$T/out" || fail "no tile $e"; done
    equal tiles "$(tiles)" '2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072'
}

@test "what follows a board stands below it" {
    printf '2,2/0,0\tstart\n4,0/2,0\tleft <1>\t4 & more\tx\ty\n' | board-svg >one
    picture one
    equal captions "$(captions one)" 'start|left &lt;1&gt;|4 &amp; more|x'
    printf '2,2\t1234567.891\n' | board-svg >two
    equal captions "$(captions two)" '1,234,567.9'
}

@test "columns of a table are named below the boards" {
    printf 'board\tage\tvalue\tbest\n2,2\t4\t12.3456\tleft\n4,2\t6\t-\t-\n' >t
    works board-svg t
    equal captions "$(captions)" 'age 4|value 12.35|age 6|value -'
    works board-svg --caption best --caption value t
    equal captions "$(captions)" 'best left|value 12.35|best -|value -'
    refused 1 "line 1: no column 'worst'" board-svg --caption worst t
    echo 2,2 >b
    refused 1 'needs a table' board-svg --caption value b
    refused 2 'more than 3' board-svg --caption a --caption b --caption c --caption d t
}

@test "a step of an episode is drawn, with its move, its score and the new tile" {
    works board-svg "$fixtures/smallest.ep"
    picture "$T/out"
    equal tiles "$(tiles)" '4 2'
    equal captions "$(captions)" 'step 1: ← left|score 4'
    equal fresh "$(grep -c 'class="fresh"' "$T/out")" 1
    works board-svg --step 0 "$fixtures/smallest.ep"
    equal captions "$(captions)" 'start|score 0'
    works board-svg --every 1 "$fixtures/smallest.ep"
    equal captions "$(captions)" 'start|score 0|step 1: ← left|score 4'
    refused 1 'episode 1 has only 1 steps' board-svg --step 2 "$fixtures/smallest.ep"
}

@test "drawn steps are those of the text" {
    gen-episodes -b 3x3 -n 3 -s 5 >games
    episode-text -e 2 games | awk -F '\t' '/^[0-9]/ { print $1 }' >states
    last=$(($(wc -l <states) - 1))
    for step in 0 1 7 $last; do
        works board-svg -e 2 --step "$step" games
        equal "step $step" "$(tiles)" "$(sed -n "$((step + 1))p" states | tr '/,' '  ' | xargs -n 1 | grep -v '^0$' | xargs)"
    done
    works board-svg -e 2 games
    equal last "$(tiles)" "$(tail -n 1 states | tr '/,' '  ' | xargs -n 1 | grep -v '^0$' | xargs)"
    grep -q "score $(episode-stat --each games | awk 'NR == 3 { print $2 }')<" <(tr -d , <"$T/out") || fail "another score"
    works board-svg -e 2 --every 10 games
    equal boards "$(boards)" $(((last + 9) / 10 + 1))
    refused 1 'games: has only 3 episodes' board-svg -e 4 games
}

@test "the layout can be chosen" {
    for i in 1 2 3 4 5 6; do echo "2,$((1 << i))"; done >b
    size() { sed -n '1s/.*viewBox="0 0 \([0-9]* [0-9]*\)".*/\1/p' "$T/out"; }
    works board-svg b
    equal size "$(size)" '388 156'
    works board-svg --columns 6 b
    equal size "$(size)" '772 80'
    works board-svg --columns 1 --tile 96 --title Six b
    picture "$T/out"
    grep -q 'ink title.*Six' "$T/out"
    refused 2 'must be at least 16' board-svg --tile 4 b
    refused 2 'must be at least 1' board-svg --columns 0 b
}

@test "too many boards are refused" {
    for _ in $(seq 1001); do echo 2,2; done >b
    refused 1 'more than 1000 boards' board-svg b
    head -n 1000 b >c
    works board-svg c
    refused 1 'more boards than a picture can show' board-svg --columns 1000 c
}

@test "what is no board and no stream is refused with its line" {
    refused 1 'standard input: no boards' board-svg </dev/null
    refused 1 'missing: No such file' board-svg missing
    refused 1 '\.: is a directory' board-svg .
    for bad in 3,2 2,2/2 2 '2,2,2,2,2/2,2,2,2,2/2,2,2,2,2/2,2,2,2,2' '2,2,' 262144,2 word; do
        printf '2,2\n%s\n' "$bad" >b
        refused 1 'b: line 2: ' board-svg b
    done
    printf '2,2\n2,\0002\n' >b
    refused 1 'b: line 2: has a zero byte' board-svg b
    echo 2,2 >b
    for option in '--step 1' '--every 2' '-e 1'; do
        # shellcheck disable=SC2086
        refused 1 'b: no episode stream' board-svg $option b
    done
    refused 1 'no columns for --caption' board-svg --caption x "$fixtures/smallest.ep"
    cd "$fixtures/bad"
    for file in *; do
        refused 1 "$file: ." board-svg -o "$T/file" "$file"
        [ ! -e "$T/file" ]
    done
}

@test "boards may have spaces, points, empty lines, CRLF and no last newline" {
    printf '2 , 4/.,8\r\n\n 2,2/0,0' | board-svg >one
    equal tiles "$(tiles one)" '2 4 8 2 2'
}

@test "misuse is told in one line, with status 2" {
    refused 2 'one of --step and --every' board-svg --step 1 --every 2
    refused 2 'two: unexpected operand' board-svg one two
    refused 2 "step: '-1': not a whole" board-svg --step -1
}

@test "failures of the output are told, and a reader that goes away ends it quietly" {
    echo 2,2 >b
    refused 1 'missing/file: No such file' board-svg -o missing/file b
    for _ in $(seq 900); do echo 2,4/8,16; done >many
    { board-svg many 2>"$T/err" || echo "$?" >"$T/status"; } | head -c 100 >got
    [ ! -s "$T/err" ] || fail "not quiet"
    equal status "$(cat "$T/status")" 141
    [ -c /dev/full ] || return 0
    full() { "$@" >/dev/full; }
    refused 1 'standard output: No space left' full board-svg b
}

@test "files and folders may have spaces in their names" {
    mkdir 'a folder'
    echo 2,2 >'a folder/a board'
    works board-svg 'a folder/a board' -o 'a folder/a picture.svg'
    picture 'a folder/a picture.svg'
}

@test "the examples of the manual page work and make pictures" {
    examples man1/board-svg.1
    for file in board game last words values; do picture $file.svg; done
}
