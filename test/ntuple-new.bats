#!/usr/bin/env bats
load helper

networks=$root/share/networks

@test "--dry-run prints parameters and sizes, and writes nothing" {
    works ntuple-new --dry-run "$networks/4x6.net"
    equal keys "$(cut -f 1 "$T/out" | xargs)" "parameters bytes learner_bytes"
    equal parameters "$(value parameters)" 67108864
    # Four bytes a weight, eight more for a learner, and the header.
    equal bytes "$(value bytes)" $((4 * 67108864 + 4096))
    equal learner_bytes "$(value learner_bytes)" $((12 * 67108864 + 4096))
    works ntuple-new --dry-run "$networks/mnt6.net"
    equal parameters "$(value parameters)" 3543122
    works ntuple-new --dry-run "$networks/mnt6.net" -o never
    equal files "$(ls)" ""
}

@test "every network of share/networks is one" {
    while read -r name parameters; do
        works ntuple-new --dry-run "$networks/$name.net"
        equal "$name" "$(value parameters)" "$parameters"
    done <<END
4x6 67108864
8x6 134217728
42-33 83886080
mnt6 3543122
mnt4 43923
szubert 33685504
nt6-m 544195584
nt6 612220032
nt7 471794736
nt8 877730580
nt9 1835939238
42-33-16 1342177280
42-33-4-22-3 1347551232
421-43 1342177280
mnt6-2-vse-a 1048576
mnt6-2-vse-b 759586
mnt6-2-vse-c 617600
mnt6-2-vse-d 470596
mnt6-2-vse-e 617600
mnt6-3-vse-a 217874
mnt6-3-vse-b 421922
mnt6-4-vse-a 164004
END
    [ "$(find "$networks" -name "*.net" | wc -l)" -eq 22 ] || fail "another network"
}

@test "a new file is as large as --dry-run says, and verifies" {
    for name in 2x2 2x3 3x3 4x4; do
        ntuple-new --dry-run "$fixtures/$name.net" >dry
        works ntuple-new "$fixtures/$name.net" -o new.w
        [ ! -s "$T/out" ] || fail "not silent"
        equal "$name" "$(wc -c <new.w | tr -d ' ')" "$(value bytes dry)"
        works ntuple-info --verify new.w
        equal "$name" "$(value parameters)" "$(value parameters dry)"
    done
}

@test "the same network gives the same bytes, in this build as in every other" {
    # Sums of the first release. They change only with the format.
    while read -r name init crc size; do
        works ntuple-new "$fixtures/$name.net" --init "$init" -o one.w
        works ntuple-new --init="$init" --output=two.w - <"$fixtures/$name.net"
        cmp one.w two.w
        PIPE2048_CPU=plain works ntuple-new "$fixtures/$name.net" --init "$init" -o two.w
        cmp one.w two.w
        equal "$name --init $init" "$(cksum <one.w)" "$crc $size"
    done <<'END'
2x2 0 2761321779 12288
2x2 1200 1609010991 12288
2x3 0 3909574428 28672
2x3 1200 21550533 28672
3x3 0 2518945848 77824
3x3 1200 3991832917 77824
4x4 0 2493040942 299008
4x4 1200 1948249410 299008
END
}

@test "--init is the value of every board" {
    for init in 0 1200 -0.5 100000; do
        ntuple-new "$fixtures/3x3.net" --init $init -o new.w
        equal init "$(ntuple-info new.w | value init /dev/stdin)" $init
        gen-episodes -b 3x3 -n 20 | ntuple-eval -w new.w | cut -f 2 | sed 1d |
            awk -v init=$init '{d = $1 - init; if (d < 0) d = -d; if (d > 0.001 * (init < 0 ? -init : init)) exit 1}' ||
            fail "--init $init"
    done
    refused 1 'too large' ntuple-new "$fixtures/2x2.net" --init 1e9 -o never.w
    for bad in nan inf x '' 1e300; do
        refused 2 "init: '.*': " ntuple-new "$fixtures/2x2.net" --init "$bad" -o never.w
    done
}

@test "every network of fixtures/bad-net is refused by name and line" {
    [ "$(find "$fixtures/bad-net" -name '*.net' | wc -l)" -ge 20 ]
    for file in "$fixtures"/bad-net/*.net; do
        name=$(basename "$file")
        reason=$(head -n 1 "$file" | tr -d '\0' | sed 's/^# //')
        refused 1 "$name: $reason" ntuple-new "$file" -o never.w
        refused 1 "$name: $reason" ntuple-new --dry-run "$file"
    done
}

@test "what is no network at all is refused" {
    mkdir folder
    refused 1 'missing.net: No such file' ntuple-new missing.net -o never.w
    refused 1 'folder: .*directory' ntuple-new folder -o never.w
    refused 1 'smallest.ep: ' ntuple-new "$fixtures/smallest.ep" -o never.w
    ntuple-new "$fixtures/2x2.net" -o some.w
    refused 1 'some.w: ' ntuple-new some.w -o never.w
}

@test "a file that cannot be written is named, and the old one stays" {
    refused 1 'missing/new.w: No such file' ntuple-new "$fixtures/2x2.net" -o missing/new.w
    mkdir folder
    refused 1 'folder: is a directory' ntuple-new "$fixtures/2x2.net" -o folder
    echo old >new.w
    limited() { (ulimit -f 1 && "$@"); }
    refused 1 'new.w: File too large' limited ntuple-new "$fixtures/4x4.net" -o new.w
    equal content "$(cat new.w)" old
}

@test "misuse is told in one line, with status 2" {
    refused 2 'network definition is needed' ntuple-new
    refused 2 'network definition is needed' ntuple-new -o never.w
    refused 2 '-o FILE is needed' ntuple-new "$fixtures/2x2.net"
    refused 2 'unexpected operand' ntuple-new "$fixtures/2x2.net" more -o never.w
}
