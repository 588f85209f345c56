#!/usr/bin/env bats
load helper

# table LINE...: words separated by single spaces become cells.
table() { printf '%s\n' "$@" | tr ' ' '\t'; }

# Texts that a picture shows, one a line.
texts() { sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' "${1:-$T/out}" | sed 's/<[^>]*>/ /g; s/^ *//; s/ *$//'; }

shows() { texts | grep -q -x -F -e "$1" || fail "does not show '$1' but: $(texts | tr '\n' '|')"; }

# How often a pattern occurs.
times() { grep -o -e "$1" "${2:-$T/out}" | wc -l; }

@test "a line chart has its axes, names and a path" {
    table 'moves mean_score' '0 100' '1000000 2000' '5000000 4000' >t
    works plot t --title 'A title'
    picture "$T/out"
    shows 'A title'
    shows 'mean score'
    shows moves
    shows 1M
    shows 5M
    shows 4,000
    equal lines "$(times 'class="line')" 1
    grep -q 'Line chart of mean score. Horizontal axis: moves, from 0 to 5,000,000.' "$T/out"
}

@test "standard input is read without a file and for -, and -o writes a file" {
    table 'a b' '1 2' '3 4' >t
    works plot t
    cp "$T/out" one
    plot <t | cmp - one
    plot - <t | cmp - one
    plot -o two t
    cmp one two
}

@test "the same input gives the same bytes" {
    gen-episodes -b 2x3 -n 200 | episode-stat --each >t
    plot -k histogram -x score t >one
    plot -k histogram -x score t | cmp - one
    plot -k points -x moves -y score --by max_tile t >two
    plot -k points -x moves -y score --by max_tile t | cmp - two
}

@test "columns are chosen by name, and by number where none has that name" {
    table 'a b 3' '1 20 7' '2 40 8' >t
    works plot -x a -y b t
    shows b
    cp "$T/out" named
    plot -x 1 -y 2 t | cmp - named
    plot -y 3 t >three
    texts three | grep -q -x 3
    texts three | grep -q -x 8.0
    refused 1 "t: no column 'c' among a, b, 3" plot -y c t
    refused 1 "t: no column '4' among" plot -x 4 t
    refused 1 "t: no column 'd'" plot --by d t
    refused 1 "t: no column 'e'" plot --band e t
    refused 1 "t: no column 'e'" plot --band b:e t
}

@test "several columns, groups and files are series with a legend" {
    table 'age states after_states' '4 10 7' '6 28 9' '8 40 20' >t
    works plot -y states -y after_states t
    picture "$T/out"
    shows states
    shows 'after states'
    equal series "$(times '<g class="c[0-9]">$')" 2
    table 'x y who' '1 2 me' '1 3 you' '2 3 me' '2 5 you' >by
    works plot -y y --by who by
    shows me
    shows you
    mkdir 'a folder' other
    cp t 'a folder/first.tsv'
    cp t second.tsv
    cp t other/first.tsv
    works plot 'a folder/first.tsv' second.tsv
    shows first
    shows second
    works plot 'a folder/first.tsv' other/first.tsv
    shows other/first.tsv
    works plot -y 2 -y 3 second.tsv 'a folder/first.tsv'
    shows 'second, after states'
    works plot 'a folder/first.tsv' second.tsv --label 'one & only' --label '<two>'
    shows 'one &amp; only'
    shows '&lt;two&gt;'
}

@test "series differ without colour: in dashes, dots and fillings" {
    table 'x y who' '1 2 a' '1 3 b' '2 3 a' '2 5 b' '3 3 a' '3 3 b' >t
    works plot -y y --by who t
    equal dashes "$(grep -o 'line d[0-9]' "$T/out" | sort -u | wc -l)" 2
    works plot -k points -y y --by who t
    equal dots "$(grep -o 'M[0-9. ]*m[^"]*z"' "$T/out" | sed 's/^M[0-9. ]*//; s/M.*//; s/"$//' | sort -u | wc -l)" 2
    works plot -k bars -y y --by who t
    equal fillings "$(grep -o 'rect class="b[0-9]' "$T/out" | sort -u | wc -l)" 2
}

@test "more series than can be told apart are refused" {
    for i in 1 2 3 4 5 6 7 8; do printf '%s\t1\ts%s\n' $i $i; done >t
    works plot --header x,y,s --by s t
    printf '9\t1\ts9\n' >>t
    refused 1 "'s9': more than 8 series" plot --header x,y,s --by s t
    refused 2 'more than 8 of them' plot -y 1 -y 1 -y 1 -y 1 -y 1 -y 1 -y 1 -y 1 -y 1 t
}

@test "bands are drawn from one column or two, and whiskers at bars" {
    table 'x y d low high' '1 10 2 9 12' '2 12 1 11 14' '3 9 - - -' '4 8 1 7 9' '5 9 1 7 9' >t
    works plot -y y --band d t
    equal bands "$(times 'path class="band"')" 2
    works plot -y y --band low:high t
    equal bands "$(times 'path class="band"')" 2
    works plot -k bars -y y --band d t
    equal whiskers "$(times 'class="whisker"')" 4
    works plot -y y t
    equal bands "$(times 'path class="band"')" 0
    refused 2 'more of them than -y' plot --band d --band d t
}

@test "a gap interrupts a line and leaves a bar out" {
    table 'x y' '1 10' '2 12' '3 -' '4 8' '5 9' >t
    works plot t
    equal lines "$(times 'class="line')" 2
    works plot -k bars t
    equal bars "$(times 'rect class="b0"')" 4
    printf 'x\ty\n1\t\n2\t3\n' >t
    works plot t
    table 'x y' '1 -' >t
    refused 1 'no data' plot t
    refused 1 'no data' plot -k bars t
    refused 1 'no data' plot --hline 5 --vline 2 t
}

@test "bars have their texts below and their values above" {
    table 'tile share' '2 1' '1024 0.9996' '2048 0.083' >t
    works plot -k bars --percent t
    picture "$T/out"
    shows 2048
    shows 100%
    shows 99.96%
    shows 8.3%
    grep -q '<title>2048: 8.3%</title>' "$T/out" || fail "no tip"
    # Rounding makes no share all or nothing.
    table 'tile share' '2 0.999996' '4 0.00002' '8 0' '16 0.5' >odd
    works plot -k bars --percent odd
    for text in 99.9996% 0.002% 0% 50%; do shows $text; done
    works plot -k bars --percent t
    # Percent are shown up to 100 and not beyond.
    shows 80%
    not grep -q '>120%<' "$T/out"
    table 'a b' 'x 1' 'y 2' 'x 3' >t
    refused 1 "line 4: b: a second bar for 'x'" plot -k bars t
}

@test "long names of bars are broken or slanted, and many are thinned out" {
    printf 'a name of several words\t1\nb\t2\n' | plot -k bars --header n,v >one
    not grep -q rotate one
    for i in $(seq 12); do printf 'unbreakable-%s\t%s\n' "$i" "$i"; done | plot -k bars --header n,v >two
    equal slanted "$(times 'rotate(' two)" 12
    for i in $(seq 120); do printf 'name-%s\t%s\n' "$i" "$i"; done | plot -k bars --header n,v >three
    [ "$(times 'rotate(' three)" -lt 40 ] || fail "$(times 'rotate(' three) names"
    for i in $(seq 401); do printf '%s\t%s\n' "$i" "$i"; done >t
    refused 1 'more than 400 bars' plot -k bars --header n,v t
}

@test "a histogram counts every value once, in bins with round bounds" {
    seq 1 1000 >t
    works plot -k histogram --header n t
    picture "$T/out"
    equal counted "$(sed -n 's/.*<title>.*: \([0-9]*\)<.*/\1/p' "$T/out" | awk '{ sum += $1 } END { print sum }')" 1000
    grep -q '<title>100 to 150: 50</title>' "$T/out" || fail "$(grep -o '<title>.*</title>' "$T/out" | head -n 4)"
    works plot -k histogram --bins 4 --header n t
    equal bins "$(times 'rect class="b0"')" 4
    works plot -k histogram --percent --bins 4 --header n t
    grep -q ': 25%</title>' "$T/out"
    works plot -k histogram --log x --header n t
    works plot -k histogram --log y --header n t
    works plot -k histogram --vline 2000:far --header n t
    shows far
    works plot -k histogram --x-range 0:100 --bins 10 --header n t
    equal bins "$(times 'rect class="b0"')" 10
    printf '5\n5\n5\n' | plot -k histogram --header n >one
    equal bins "$(times 'rect class="b0"' one)" 1
}

@test "log axes have powers of ten, and refuse what has no logarithm unless told to leave it out" {
    table 'x y' '1 1' '10 100' '100 2000000' >t
    works plot --log y t
    shows 10k
    shows 1M
    works plot --log xy t
    shows 100
    table 'x y' '0 1' '1 0' '2 5' '3 -2' >t
    refused 1 't: line 3: y: 0 has no place on a log axis' plot --log y t
    refused 1 't: line 2: x: 0 has no place on a log axis' plot --log x t
    works plot --log y --gaps t
    works plot --log xy --gaps t
    refused 2 'x-range: a log axis' plot --log x --x-range -1:5 t
    refused 2 'hline: a log axis' plot --log y --hline 0 t
    refused 2 'vline: a log axis' plot --log x --vline -3:here t
}

@test "ranges cut off what is beyond, and labelled lines stand where they should" {
    seq 0 100 | awk '{print $1 "\t" $1 * $1}' >t
    works plot --header x,y --x-range 20:80 --y-range :5000 t
    picture "$T/out"
    equal cut "$(times '<svg x=')" 1
    works plot --header x,y --hline '5000:half < "way"' --hline 12000 --vline 50:middle t
    picture "$T/out"
    shows 'half &lt; &quot;way&quot;'
    shows middle
    shows 12,000
    equal lines "$(times 'class="mark"')" 3
    refused 1 'no data' plot --header x,y --x-range 200:300 t
    refused 2 "x-range: '5:5': the second number must be larger" plot --x-range 5:5 t
    refused 2 "y-range: '5': not a range" plot --y-range 5 t
    refused 2 "y-range: 'a:b': not a number" plot --y-range a:b t
    refused 2 "hline: 'x:y': not a number" plot --hline x:y t
    refused 2 "hline: ':y': not a number" plot --hline :y t
}

@test "the size is that of the picture, and too small a one is refused" {
    table 'x y' '1 2' '3 4' >t
    works plot --size 900x300 t
    grep -q 'viewBox="0 0 900 300" width="900" height="300"' "$T/out"
    refused 2 'at least 160' plot --size 100x300 t
    refused 2 'at most 4000' plot --size 900x9999 t
    refused 2 'not a size' plot --size big t
    refused 2 'not a size' plot --size 123456789x3 t
    refused 1 '160x160: too small' plot --size 160x160 --title 'a title that is far too long for so small a picture' t
}

@test "any text becomes harmless: XML, bytes that are no UTF-8, control characters" {
    printf 'x\t<y> & "z"\377\001\n1\t2\n3\t4\n' >t
    works plot t --title "$(printf '</text><script>alert(1)</script>\302\205\355\240\200')"
    "$units/xml" standard-input <"$T/out"
    not grep -q '<script' "$T/out"
    shows "$(printf '&lt;y&gt; &amp; &quot;z&quot;\357\277\275\357\277\275')"
}

@test "what is no table is refused in one line" {
    refused 1 "standard input: empty: a line with the columns' names" plot </dev/null
    refused 1 'missing: No such file' plot missing
    refused 1 '\.: is a directory' plot .
    table 'a b' >t
    refused 1 't: no rows' plot t
    table 'a b' '1 2' '3' >t
    refused 1 't: line 3: has 1 columns instead of 2' plot t
    table 'a b' '1 2 3' >t
    refused 1 't: line 2: has 3 columns instead of 2' plot t
    for bad in x nan inf -inf 1e999 0x10 1,5 1e400 2e300; do
        table 'a b' '1 2' "3 $bad" >t
        refused 1 "t: line 3: b: '$bad': " plot t
    done
    table 'a b' 'word 2' >t
    refused 1 "t: line 2: a: 'word': not a number \(bars take any text\)" plot t
    printf 'a\n1\n' >t
    refused 1 "'a' is the only column: it could be a histogram" plot t
    printf 'a\tb\n1\t\0002\n' >t
    refused 1 't: line 2: has a zero byte' plot t
    head -c 3000000 /dev/zero | tr '\0' x >t
    refused 1 't: line too long' plot t
    printf 'x%.0s\t' $(seq 300) >t
    refused 1 't: more than 256 columns' plot t
    refused 1 'one: ' plot -o new one two
    refused 1 '2 of them for 1 series' plot --label a --label b <(table 'a b' '1 2')
}

@test "tables may have empty lines, CRLF and no last newline" {
    table 'a b' '1 2' '3 4' >t
    plot t >one
    printf 'a\tb\r\n\r\n1\t2\r\n3\t4' | plot | cmp - one
}

@test "odd numbers are drawn or refused, never drawn as nothing" {
    for row in '0 0' '-5 -5' '1e300 -1e300' '1e-300 1e-300' '1000000000000000 1000000000000001'; do
        table 'a b' "$row" >t
        for kind in line points bars histogram; do
            works plot -k $kind t
            picture "$T/out"
        done
    done
    table 'a b' '1e-300 1e300' '1e300 1e-300' >t
    works plot --log xy t
    picture "$T/out"
}

@test "a long table is thinned to what can be seen" {
    seq 1 200000 | awk '{print $1 "\t" sin($1 / 999) + $1 % 7}' >t
    works plot --header x,y t
    picture "$T/out"
    [ "$(wc -c <"$T/out")" -lt 150000 ] || fail "$(wc -c <"$T/out") bytes"
    works plot -k points --header x,y t
    [ "$(wc -c <"$T/out")" -lt 3000000 ] || fail "$(wc -c <"$T/out") bytes"
}

@test "misuse is told in one line, with status 2" {
    refused 2 "kind: 'pie': must be one of line, points, bars, histogram" plot -k pie
    refused 2 "log: 'z': must be one of none, x, y, xy" plot --log z
    refused 2 'takes no -y' plot -k histogram -y a
    refused 2 'has no --band' plot -k histogram --band a
    refused 2 'bins is for histograms' plot --bins 5
    refused 2 'names, not numbers' plot -k bars --log x
    refused 2 'names, not numbers' plot -k bars --vline 4
    refused 2 'unexpected operand' plot 1 2 3 4 5 6 7 8 9
}

@test "failures of the output are told and leave nothing" {
    table 'a b' '1 2' '3 4' >t
    refused 1 'missing/file: No such file' plot -o missing/file t
    table 'a b' '1 x' >bad
    echo old >new
    refused 1 'bad: line 2' plot -o new bad
    [ -c /dev/full ] || return 0
    full() { "$@" >/dev/full; }
    refused 1 'standard output: No space left' full plot t
}

@test "a reader that goes away ends it quietly" {
    seq 1 200000 | awk '{print $1 "\t" $1 % 991}' >t
    { plot -k points --header x,y t 2>"$T/err" || echo "$?" >"$T/status"; } | head -c 100 >got
    [ ! -s "$T/err" ] || fail "not quiet"
    equal status "$(cat "$T/status")" 141
}

@test "files and folders may have spaces in their names" {
    mkdir 'a folder'
    table 'a b' '1 2' '3 4' >'a folder/a table.tsv'
    works plot 'a folder/a table.tsv' -o 'a folder/a chart.svg'
    picture 'a folder/a chart.svg'
}

@test "the examples of the manual page work and make pictures" {
    examples man1/plot.1
    for file in scores two tiles curve ages loss; do picture $file.svg; done
}
