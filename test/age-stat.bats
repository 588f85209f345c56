#!/usr/bin/env bats
load helper

@test "the table has a line an age, and the counts of the manifest" {
    age-enumerate -b 2x3 -d s && age-backup -d s
    works age-stat -d s
    equal columns "$(head -n 1 "$T/out" | tr '\t' '\n' | wc -l)" 11
    equal lines "$(wc -l <"$T/out")" 126
    equal sums "$(awk -F '\t' 'NR > 1 {s += $2; a += $3} END {print s, a}' "$T/out")" "21752 14883"
    awk -F '\t' 'NR > 1 && $7 != "-" && ($7 < 0 || $8 < 0 || $8 > 1) {exit 1}' "$T/out" || fail "shares out of range"
    cp "$T/out" all
    works age-stat -d s --from 100 --to 104 -t 1 --memory 1M
    sed 1d "$T/out" >some
    grep -c . some | grep -q -x 3
    grep -q -x -F -f some all || fail "a range differs from the whole"
}

@test "threads and memory change nothing" {
    age-enumerate -b 2x3 -d s && age-backup -d s
    age-stat -d s -t 1 >one
    age-stat -d s -t 3 --memory 1M >three
    cmp one three
}

@test "without values it tells what it knows" {
    age-enumerate -b 2x3 -d s --to 50
    works age-stat -d s
    awk -F '\t' 'NR > 1 && ($5 != "-" || $7 != "-" || $11 != "-" || $2 == "-") {exit 1}' "$T/out" || fail "columns"
}

@test "--check finds every flipped bit and every missing file, and names it" {
    age-enumerate -b 2x2 -d s && age-backup -d s
    works age-stat -d s --check --sample 100
    equal files "$(value afterstates_files) $(value values_files) $(value values_checked)" "29 29 100"
    cp -R s good
    for file in afterstates/00004.ef afterstates/00040.ef score/00008.val score/00060.val manifest score/manifest; do
        size=$(wc -c <s/$file)
        for at in 0 $((size / 3)) $((size - 2)); do
            byte=$(od -An -tu1 -j "$at" -N 1 s/$file | tr -d ' ')
            # shellcheck disable=SC2059 # a byte by its number
            printf "\\$(printf %o $((byte ^ 1)))" | dd of=s/$file bs=1 seek="$at" conv=notrunc 2>/dev/null
            refused 1 "s/$file" age-stat -d s --check
            cp good/$file s/$file
        done
    done
    for file in afterstates/00010.ef score/00012.val; do
        rm s/$file
        refused 1 "s/$file: No such file" age-stat -d s --check
        refused 1 "s/$file: No such file" age-stat -d s
        cp good/$file s/$file
    done
    works age-stat -d s --check
}

@test "a value that its successors do not give is found" {
    # The right files of another chance of a 4: all checksums hold.
    age-enumerate -b 2x2 -d s && age-backup -d s
    age-enumerate -b 2x2 -d o --p4 0.3 && age-backup -d o
    rm -r s/score && cp -R o/score s/score
    refused 1 'its successors say' age-stat -d s --check --sample 500
}

@test "misuse is explained" {
    refused 2 '-d is needed' age-stat
    refused 2 'only one of' age-stat -d s --check --fast
    refused 2 'goes with --check' age-stat -d s --sample 5
    refused 1 'nowhere: no solution' age-stat -d nowhere
}
