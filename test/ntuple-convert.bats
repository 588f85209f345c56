#!/usr/bin/env bats
load helper

# Weights with something in them.
learned() {
    ntuple-new "$fixtures/4x4.net" --init 1000 -o ours.w
    gen-episodes -n 50 | ntuple-learn -w ours.w
}

@test "weights come back from the form of TDL2048+ with the values they had" {
    learned
    works ntuple-convert --to tdl2048 ours.w -o theirs
    [ ! -s "$T/out" ]
    equal bytes "$(wc -c <theirs | tr -d ' ')" $((5 + 2 * (19 + 4 * 16 ** 3 + 2) + 19 + 4 * 16 ** 4 + 2))
    equal head "$(head -c 24 theirs | od -A n -t x1 | tr -d ' \n')" 000300000004120000000300000004000010000000000000
    works ntuple-convert --from tdl2048 theirs -o back.w
    works ntuple-info --verify back.w
    equal moves "$(value moves)" 0
    gen-episodes -n 5 >some.ep
    ntuple-eval -w ours.w some.ep >a
    ntuple-eval -w back.w some.ep >b
    cmp a b
    works ntuple-convert --to tdl2048 back.w
    cmp theirs "$T/out"
    works ntuple-convert --from tdl2048 - -o again.w <theirs
    cmp back.w again.w
}

@test "only 4x4 boards with 16 values go there" {
    ntuple-new "$fixtures/3x3.net" -o small.w
    refused 1 'small.w: TDL2048\+ has 4x4 boards with 16 values only' ntuple-convert --to tdl2048 small.w -o never
    printf 'board 4x4\nvalues 11\ntuple 0 1\n' >eleven.net
    ntuple-new eleven.net -o eleven.w
    refused 1 'eleven.w: .*16 values' ntuple-convert --to tdl2048 eleven.w
}

@test "what is not theirs, or cut, is refused and leaves no file" {
    learned
    ntuple-convert --to tdl2048 ours.w -o theirs
    for size in 0 1 4 5 23 24 1000 16408 16409 16410 294979; do
        head -c $size theirs >short
        refused 1 'short: cut short' ntuple-convert --from tdl2048 short -o never.w
    done
    refused 1 'ours.w: not weights of TDL2048' ntuple-convert --from tdl2048 ours.w -o never.w
    refused 1 'smallest.ep: not weights of TDL2048' ntuple-convert --from tdl2048 "$fixtures/smallest.ep" -o never.w
    refused 1 'theirs: not a weights file' ntuple-convert --to tdl2048 theirs -o never
    { printf '\000\001\000\000\000' && head -c 1000 /dev/zero; } >zeros
    refused 1 'zeros: not a table' ntuple-convert --from tdl2048 zeros -o never.w
}

@test "misuse is told in one line, with status 2" {
    refused 2 'one of --from and --to' ntuple-convert file
    refused 2 'one of --from and --to' ntuple-convert --from tdl2048 --to tdl2048 file
    refused 2 'a file is needed' ntuple-convert --from tdl2048 -o never
    refused 2 '-o WEIGHTS is needed' ntuple-convert --from tdl2048 file
    refused 2 "from: 'other': " ntuple-convert --from other file -o never
}
