#!/usr/bin/env bats
load helper

# The sums of columns 3, 4, 5 of a manifest: states, afterstates, terminal.
counts() { awk -F '\t' '$1 == "age" {s += $3; a += $4; t += $5} END {print s, a, t}' "$1/manifest"; }

# Everything in a solution but its locks and times.
same() { diff -r "$1" "$2" || fail "$1 and $2 differ"; }

@test "small boards have the known numbers of states, afterstates and terminal states" {
    works age-enumerate -b 2x2 -d s22
    equal 2x2 "$(counts s22)" "110 67 36"
    works age-enumerate -b 2x3 -d s23
    equal 2x3 "$(counts s23)" "21752 14883 4484"
    works age-enumerate -b 3x2 -d s32
    equal 3x2 "$(counts s32)" "21752 14883 4484"
    works age-enumerate -b 2x4 -d s24
    equal 2x4 "$(counts s24)" "4980767 3406686 892648"
}

@test "threads, memory and the portable code change nothing in the files" {
    works age-enumerate -b 2x4 -d one -t 1 --to 200
    works age-enumerate -b 2x4 -d three -t 3 --to 200
    same one three
    works age-enumerate -b 2x4 -d little -t 2 --memory 1M --to 200
    same one little
    PIPE2048_CPU=plain works age-enumerate -b 2x4 -d plain --to 200
    same one plain
}

@test "it goes on where it stopped, and again when it is complete" {
    works age-enumerate -b 2x3 -d whole
    for age in 4 6 30 31 100; do works age-enumerate -b 2x3 -d steps --to $age; done
    works age-enumerate -d steps
    same whole steps
    works age-enumerate -d steps
    same whole steps
}

@test "killed at any moment and started again it makes the same files" {
    works age-enumerate -b 2x4 -d whole --to 300
    for _ in 1 2 3 4 5 6; do
        timeout --foreground -s KILL "0.0$((RANDOM % 90 + 10))" age-enumerate -b 2x4 -d killed --to 300 || true
    done
    works age-enumerate -b 2x4 -d killed --to 300
    same whole killed
}

@test "an age can be made in parts and merged, in any order" {
    works age-enumerate -b 2x4 -d whole --to 104
    works age-enumerate -b 2x4 -d parts --to 100
    for i in 3 1 2; do works age-enumerate -d parts --part $i/3; done
    works age-enumerate -d parts --merge 3
    for i in 1 2 2; do works age-enumerate -d parts --part $i/2; done
    works age-enumerate -d parts --merge 2
    rmdir parts/runs
    same whole parts
}

@test "a merge without all of its runs is refused and names the missing one" {
    works age-enumerate -b 2x3 -d s --to 40
    works age-enumerate -d s --part 1/2
    refused 1 'runs/00042.2-of-2.ef: No such file' age-enumerate -d s --merge 2
}

@test "a torn last line of the manifest does not count" {
    works age-enumerate -b 2x3 -d whole
    works age-enumerate -b 2x3 -d s --to 60
    printf 'age\t62\t12' >>s/manifest
    works age-enumerate -d s
    same whole s
}

@test "a changed manifest is refused" {
    works age-enumerate -b 2x3 -d s --to 60
    sed -i 's/^p4\t0.1/p4\t0.2/' s/manifest
    refused 1 'manifest: line 3: checksum' age-enumerate -d s
    sed -i 's/^p4\t0.2/p4\t0.1/; 10d' s/manifest
    refused 1 'manifest: line 10: checksum' age-enumerate -d s
}

@test "a damaged, cut or missing file of an age that is needed is refused by its name" {
    works age-enumerate -b 2x3 -d s --to 60
    cp -R s good
    printf x | dd of=s/afterstates/00060.ef bs=1 seek=60 conv=notrunc 2>/dev/null
    refused 1 '00060.ef: checksum' age-enumerate -d s
    cp good/afterstates/00060.ef s/afterstates/
    truncate -s 200 s/afterstates/00058.ef
    refused 1 '00058.ef: .*cut short' age-enumerate -d s
    rm s/afterstates/00058.ef
    refused 1 '00058.ef: No such file' age-enumerate -d s
}

@test "a second process on the directory is refused" {
    works age-enumerate -b 2x3 -d s --to 60
    exec 9<s/manifest
    flock -x 9
    refused 1 's: another process' age-enumerate -d s
    refused 1 's: another process' age-enumerate -d s --part 1/2
    exec 9<&-
    works age-enumerate -d s
}

@test "a full disk is told, and the work goes on when there is room" {
    mkdir disk
    mount -t tmpfs -o size=64k none disk 2>/dev/null || skip "cannot mount a small disk"
    try age-enumerate -b 2x3 -d disk/s
    first=$status
    cp "$T/err" error
    mount -o remount,size=4M disk
    try age-enumerate -b 2x3 -d disk/s
    second=$status
    works age-enumerate -b 2x3 -d whole
    diff -r whole disk/s && same=0 || same=1
    umount disk
    equal "on the full disk" "$first" 1
    grep -q 'No space left' error || fail "no reason"
    equal "with room" "$second" 0
    equal difference "$same" 0
}

@test "another board or p4 than the directory's is refused" {
    works age-enumerate -b 2x2 -d s
    refused 1 's: is of a 2x2 board' age-enumerate -b 2x3 -d s
    refused 1 's: has p4 0.1' age-enumerate -d s --p4 0.2
}

@test "misuse is explained" {
    refused 2 '-d is needed' age-enumerate -b 2x2
    refused 1 'no board was given' age-enumerate -d new
    refused 2 "part: '3/2'" age-enumerate -d s --part 3/2
    refused 2 "part: 'x'" age-enumerate -d s --part x
    refused 2 'only one of' age-enumerate -d s --part 1/2 --merge 2
    refused 1 'at most 14 cells' age-enumerate -b 4x4 -d big
    refused 1 'no solution' age-enumerate -d nowhere --ids 4
}

@test "the IDs of an age are a stream" {
    works age-enumerate -b 2x2 -d s
    works bash -c 'set -o pipefail; age-enumerate -d s --ids 16 | ef-pack | ef-pack -d --text | wc -l'
    equal lines "$(cat "$T/out")" "$(awk -F '\t' '$1 == "age" && $2 == 16 {print $4}' s/manifest)"
    refused 1 'age 300 is not enumerated' age-enumerate -d s --ids 300
}

@test "-v prints one line that can be read by programs" {
    try age-enumerate -b 2x2 -d s -v
    grep -q -x -E 'age-enumerate: ages=29 states=110 afterstates=67 terminal=36 bytes=[0-9]+ complete=1 seconds=[0-9.]+ peak_kib=[0-9]+' "$T/err" || fail "$(cat "$T/err")"
}
