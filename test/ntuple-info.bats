#!/usr/bin/env bats
load helper

# poke FILE OFFSET OCTAL: changes one byte.
poke() { printf %b "\\0$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

@test "a new file is explained by key and value" {
    ntuple-new "$fixtures/2x3.net" --init 12.5 -o new.w
    works ntuple-info new.w
    while read -r key want; do
        equal "$key" "$(value "$key")" "$want"
    done <<'END'
board 2x3
values 8
tuples 2
features 8
parameters 4608
init 12.5
moves 0
episodes 0
accumulators none
state clean
END
    equal bytes "$(value bytes)" "$(wc -c <new.w | tr -d ' ')"
    equal lines "$(awk -F '\t' 'NF != 2' "$T/out" | wc -l | tr -d ' ')" 0
    [ -z "$(value verified)" ] || fail "verified without being asked to"
}

@test "what was learned is counted" {
    ntuple-new "$fixtures/2x3.net" -o run.w
    gen-episodes -b 2x3 -n 30 >some.ep
    ntuple-learn -w run.w --rule tc some.ep
    works ntuple-info run.w
    equal episodes "$(value episodes)" 30
    equal moves "$(value moves)" "$(episode-stat some.ep | value moves /dev/stdin)"
    equal accumulators "$(value accumulators)" tc
    equal state "$(value state)" clean
    equal bytes "$(value bytes)" "$(ntuple-new --dry-run "$fixtures/2x3.net" | value learner_bytes /dev/stdin)"
}

@test "--net prints the definition as it was written" {
    printf '# mine \r\n board 2x2\r\nvalues 5\n\ttuple 0 1  # one' >my.net
    ntuple-new my.net -o new.w
    works ntuple-info --net new.w
    { cat my.net && echo; } | cmp - "$T/out"
    ntuple-info --net new.w >again.net
    ntuple-new again.net -o again.w
    cmp new.w again.w
}

@test "--verify finds a damaged file; without it a sound header is enough" {
    ntuple-new "$fixtures/2x2.net" --init 100 -o new.w
    works ntuple-info --verify new.w
    equal verified "$(value verified)" yes
    works ntuple-info --verify --net new.w
    cmp "$fixtures/2x2.net" "$T/out"
    cp new.w bad.w
    poke bad.w 4097 001
    works ntuple-info bad.w
    try ntuple-info --verify bad.w
    equal status "$status" 1
    grep -q -x 'ntuple-info: bad.w: weights are damaged .*' "$T/err" || fail "no reason"
    not grep -q verified "$T/out"
    for at in 0 4 8 16 24 60 64 92 128 140; do
        cp new.w bad.w
        poke bad.w $at 377
        refused 1 'bad.w: ' ntuple-info bad.w
        refused 1 'bad.w: ' gen-episodes -w bad.w -n 1
        gen-episodes -b 2x2 -n 5 | refused 1 'bad.w: ' ntuple-learn -w bad.w
    done
}

@test "a file that is cut short is refused" {
    ntuple-new "$fixtures/2x2.net" -o new.w
    for size in 12287 8192 4096 4095 200 128 127 4; do
        head -c $size new.w >cut.w
        refused 1 'cut.w: ' ntuple-info cut.w
        refused 1 'cut.w: ' gen-episodes -w cut.w -n 1
    done
}

@test "what is no weights file is refused" {
    mkdir folder
    : >empty
    refused 1 'folder: ' ntuple-info folder
    refused 1 'missing: No such file' ntuple-info missing
    refused 1 'empty: not a weights file' ntuple-info empty
    refused 1 'smallest.ep: not a weights file' ntuple-info "$fixtures/smallest.ep"
    refused 1 '2x2.net: not a weights file' ntuple-info "$fixtures/2x2.net"
    ntuple-new "$fixtures/2x2.net" -o new.w
    poke new.w 4 002
    refused 1 'unknown version 2' ntuple-info new.w
}

@test "misuse is told in one line, with status 2" {
    refused 2 'weights file is needed' ntuple-info
    refused 2 'unexpected operand' ntuple-info a b
}
