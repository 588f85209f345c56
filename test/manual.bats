#!/usr/bin/env bats
# Examples of manual pages: commands are run, and shown output must be theirs.
load helper

# The lines of a page's literal displays.
displays() { sed -n '/^\.Bd -literal/,/^\.Ed/{/^\.[BE]d/!p;/^\.Ed/s/.*//p;}' "$1" | sed 's/\\-/-/g'; }

# A script that runs the commands in order and compares what is shown below
# them; an empty line ends what is shown.
script() {
    displays "$1" | awk '
        function finish() {
            if (command == "") return
            print "{ " command "\n} >shown || exit"
            if (wanted != "") printf "diff - shown <<\047END OF OUTPUT\047 || exit\n%sEND OF OUTPUT\n", wanted
            command = wanted = ""
        }
        /^\$ / { finish(); command = substr($0, 3); next }
        $0 == "" { finish(); next }
        command != "" { wanted = wanted $0 "\n" }
        END { finish() }'
}

examples() {
    for page in "$@"; do
        script "$root/share/man/$page" >"$T/script"
        [ -s "$T/script" ] || fail "$page: no example" || return
        rm -rf ./*
        try bash -o pipefail "$T/script"
        [ "$status" = 0 ] || fail "$page: an example fails" || return
    done
}

@test "the examples of the pages on weights and networks work and are right" {
    examples man5/net.5 man5/weights.5 man1/ntuple-new.1 man1/ntuple-info.1 man1/ntuple-eval.1 \
        man1/ntuple-learn.1 man1/ntuple-fold.1 man1/ntuple-merge.1 man1/ntuple-convert.1
}

# first_half FILE INDEX: as a number, where the halves begin at 4096.
first_half() { echo $((0x$(od -A n -t x2 -j $((4096 + 2 * $2)) -N 2 "$1" | tr -d ' '))); }

@test "the indices of weights(5) with a stage and a split find the value of a board" {
    printf 'board 3x3\nvalues 11\nstages 64\nsplit 1-4 5-10\ntuple 0 1 4\n' >stages.net
    ntuple-new stages.net -o stages.w
    gen-episodes -b 3x3 -n 1000 -s 1 | ntuple-learn -w stages.w --promote
    local value=(1 6 0 2 2 3 7 1 4) # exponents, row by row
    for cells in '4 1 0' '4 1 2' '4 7 6' '4 7 8' '4 3 0' '4 5 2' '4 3 6' '4 5 8'; do
        small=0 large=0 place=1 place8=1
        for cell in $cells; do
            v=${value[cell]}
            small=$((small + place * (v < 5 ? v : 5)))
            large=$((large + place8 * (v == 0 ? 0 : v < 5 ? 1 : v - 3)))
            place=$((place * 6)) place8=$((place8 * 8))
        done
        for index in $((736 + small)) $((736 + 224 + large)); do
            half=$(first_half stages.w $index)
            [ "$half" != $((0x8000)) ] || half=$(first_half stages.w $((index - 736)))
            echo "$half"
        done
    done >halves
    # Their sum, as binary16 defines the numbers; S is 1.
    sum=$(awk '{
            exponent = int($1 % 32768 / 1024)
            fraction = $1 % 1024 / 1024
            value = exponent ? (1 + fraction) * 2 ^ (exponent - 15) : fraction * 2 ^ -14
            sum += $1 >= 32768 ? -value : value
        }
        END { printf "%.4f\n", sum }' halves)
    equal look-ups "$(wc -l <halves)" 16
    echo 2,64,0/4,4,8/128,2,16 | ntuple-eval -w stages.w >values
    equal value "$(awk -F '\t' 'NR == 2 { printf "%.4f", $2 }' values)" "$sum"
}
