#!/usr/bin/env bats
load helper

numbers() { awk -v n="$1" -v seed="$2" 'BEGIN {srand(seed); x = 0; for (i = 0; i < n; i++) {x += 1 + int(rand() ^ 4 * 5000); printf "%.0f\n", x}}'; }

@test "numbers come back from every codec, as text and as a stream" {
    for n in 0 1 2 255 256 257 3000; do
        numbers $n $n >n.txt
        for codec in gaps elias-fano smallest; do
            works ef-pack --text --codec $codec -o n.ef n.txt
            works ef-pack -d --text n.ef
            cmp "$T/out" n.txt || fail "$n numbers in $codec"
            works bash -c 'set -o pipefail; ef-pack -d <n.ef | ef-pack --codec '$codec' | cmp - n.ef'
        done
    done
}

@test "ranks are places, and - for what is not there" {
    printf '%s\n' 3 5 9 18446744073709551615 >n.txt
    for codec in gaps elias-fano; do
        ef-pack --text --codec $codec -o n.ef n.txt
        works bash -c 'printf "%s\n" 0 3 4 5 9 10 18446744073709551615 | ef-pack --text --rank n.ef'
        equal ranks "$(xargs <"$T/out")" "- 0 - 1 2 - 3"
    done
    numbers 5000 1 >n.txt
    ef-pack --text -o n.ef n.txt
    works ef-pack --text --rank n.ef n.txt
    seq 0 4999 | cmp - "$T/out"
    works bash -c 'set -o pipefail; ef-pack -d n.ef | ef-pack --rank n.ef | tail -n 1'
    equal last "$(cat "$T/out")" 4999
}

@test "the default is the smaller codec" {
    numbers 3000 7 >n.txt
    for codec in gaps elias-fano smallest; do ef-pack --text --codec $codec -o $codec.ef n.txt; done
    small=$(wc -c <gaps.ef)
    [ "$(wc -c <elias-fano.ef)" -ge "$small" ] || small=$(wc -c <elias-fano.ef)
    equal bytes "$(wc -c <smallest.ef)" "$small"
}

@test "--info tells counts and sizes" {
    seq 10 10 1000 | ef-pack --text -o n.ef
    works ef-pack --info n.ef
    equal ids "$(value ids)" 100
    equal first "$(value first)" 10
    equal last "$(value last)" 1000
    equal bytes "$(value bytes)" "$(wc -c <n.ef)"
    equal segments "$(($(value segments_gaps) + $(value segments_elias_fano)))" 1
}

@test "afterstates of an age take at most 7.5 bits, and 14.1 in plain Elias-Fano" {
    age-enumerate -b 2x4 -d s --to 250
    age-enumerate -d s --ids 250 >ids
    ef-pack -o gaps.ef ids
    ef-pack --codec elias-fano -o ef.ef ids
    bits() { ef-pack --info "$1" | awk '$1 == "bits_per_id" {print $2}'; }
    awk -v a="$(bits gaps.ef)" -v b="$(bits ef.ef)" 'BEGIN {exit !(a <= 8 && b <= 14.1)}' || fail "$(bits gaps.ef) $(bits ef.ef)"
}

@test "the worked examples of the manual are right" {
    echo 5 | ef-pack --text | ef-pack -d | od -An -v -tx1 | tr -d ' \n' >stream
    sed -n '/EXAMPLES/,/Ed/s/^\(\([0-9a-f][0-9a-f] \)*[0-9a-f][0-9a-f]\)  .*/\1/p' "$root/share/man/man5/ids.5" | tr -d ' \n' | cmp - stream
    echo 5 | ef-pack --text --codec elias-fano | od -An -v -tx1 | tr -d ' \n' >packed
    sed -n '/EXAMPLES/,/Ed/s/^\(\([0-9a-f][0-9a-f] \)*[0-9a-f][0-9a-f]\)  .*/\1/p' "$root/share/man/man5/ef.5" | tr -d ' \n' | cmp - packed
}

@test "what is no increasing sequence is refused" {
    refused 1 'number 3 does not increase' bash -c 'printf "%s\n" 1 5 5 | ef-pack --text'
    refused 1 'line 2' bash -c 'printf "%s\n" 1 x | ef-pack --text'
    refused 1 'line 1' bash -c 'printf "%s\n" 18446744073709551616 | ef-pack --text'
}

@test "damaged input of every kind is refused, with nothing written" {
    numbers 600 3 | ef-pack --text -o n.ef
    ef-pack -d n.ef >n.ids
    size=$(wc -c <n.ids)
    for at in 0 5 9 100 $((size / 2)) $((size - 1)); do
        head -c "$at" n.ids >short
        refused 1 'cut short|not a stream' ef-pack short
        { head -c "$at" n.ids; head -c 1 /dev/urandom | tr '\000-\377' '\001-\377\000'; tail -c +$((at + 2)) n.ids; } >flipped
        cmp -s flipped n.ids || refused 1 . ef-pack flipped
    done
    for at in 0 7 50 300 $(($(wc -c <n.ef) - 1)); do
        head -c "$at" n.ef >short
        refused 1 . ef-pack -d short
        refused 1 . ef-pack --info short
        refused 1 . ef-pack --text --rank short n.ids
    done
    refused 1 'not an .ef file' ef-pack -d n.ids
    refused 1 'not a stream of IDs' ef-pack n.ef
    cat n.ids n.ids >twice
    refused 1 'bytes follow' ef-pack twice
}

@test "misuse is explained" {
    refused 2 'only one of' ef-pack -d --info x
    refused 2 'codec' ef-pack --codec zip
    refused 1 'nowhere: No such file' ef-pack --info nowhere
}
