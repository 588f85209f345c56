#!/usr/bin/env bats
# The runner of these tests, and how it gets bats.
load helper

# A tree with only the runner and the given test file, in a path with a space.
tree() {
    mkdir -p "$T/a copy/test"
    cp "$root/test/run" "$root/test/get-bats" "$T/a copy/test/"
    cat >"$T/a copy/test/sample.bats"
}

@test "the last line counts what passed and failed" {
    printf '@test "a" { true; }\n@test "b" { true; }\n' | tree
    works "$T/a copy/test/run"
    equal last "$(tail -n 1 "$T/out")" "2 passed, 0 failed"
}

@test "a failed test is shown and fails the run" {
    printf '@test "a" { true; }\n@test "b" { echo reason; false; }\n' | tree
    try "$T/a copy/test/run" sample
    equal status "$status" 1
    equal last "$(tail -n 1 "$T/out")" "1 passed, 1 failed"
    grep -q reason "$T/out" || fail "the reason is not shown"
}

@test "skipped tests are counted and their reason is shown" {
    printf '@test "a" { true; }\n@test "b" { skip "no luck"; }\n' | tree
    works "$T/a copy/test/run" sample
    equal last "$(tail -n 1 "$T/out")" "1 passed, 0 failed, 1 skipped"
    grep -q 'no luck' "$T/out" || fail "the reason is not shown"
}

@test "a file that is no test, or ends early, or has no test fails the run" {
    printf '@test "a" { true; }\n@test "b" {\n' | tree
    try "$T/a copy/test/run"
    [ "$status" != 0 ] || fail "a file that is cut passes"
    tail -n 1 "$T/out" | grep -q -E '^[0-9]+ passed, [1-9][0-9]* failed$' || fail "last line"
    printf '@test "a" { true; }\n@test "b" { kill -9 $$; }\n' >"$T/a copy/test/sample.bats"
    try "$T/a copy/test/run"
    [ "$status" != 0 ] || fail "a file that is killed passes"
    tail -n 1 "$T/out" | grep -q -E '^[0-9]+ passed, [1-9][0-9]* failed$' || fail "last line"
    : >"$T/a copy/test/sample.bats"
    try "$T/a copy/test/run"
    [ "$status" != 0 ] || fail "an empty file passes"
}

@test "a name that is no test file is refused" {
    printf '@test "a" { true; }\n' | tree
    try "$T/a copy/test/run" sample nonsense
    equal status "$status" 2
}

# A PATH with only the basic tools, and the given names as a fake that runs the
# rest of the arguments as a script.
fake_path() {
    mkdir -p "$T/fake"
    for tool in bash sh dirname mkdir cat chmod touch env; do
        ln -sf "$(command -v $tool)" "$T/fake/$tool"
    done
    fake id 'echo "${FAKE_ID:-1000}"'
    tree </dev/null
}

fake() { printf '#!/bin/sh\n%s\n' "$2" >"$T/fake/$1" && chmod +x "$T/fake/$1"; }

# What get-bats prints with those tools alone.
get_bats() { try env PATH="$T/fake" FAKE="$T/fake" "$@" "$T/a copy/test/get-bats"; }

makes_bats='printf "#!/bin/sh\n" >"$FAKE/bats" && chmod +x "$FAKE/bats"'

@test "a bats that is there is used" {
    fake_path
    fake bats true
    fake apt-get 'echo called >&2; exit 1'
    get_bats
    equal bats "$(cat "$T/out")" "$T/fake/bats"
    [ ! -s "$T/err" ]
}

@test "root gets bats with the package manager" {
    for manager in apt-get dnf apk pacman zypper; do
        rm -rf "$T/fake" "$T/a copy"
        fake_path
        fake "$manager" "$makes_bats"
        get_bats FAKE_ID=0
        equal "$manager" "$status $(cat "$T/out")" "0 $T/fake/bats"
    done
}

@test "an ordinary user gets bats with sudo only where it asks nothing" {
    fake_path
    fake apt-get "$makes_bats"
    fake sudo 'shift; [ "$1" = true ] || "$@"'
    get_bats
    equal bats "$status $(cat "$T/out")" "0 $T/fake/bats"
    rm "$T/fake/bats"
    fake sudo 'exit 1'
    get_bats
    equal status "$status" 1
}

@test "without a package manager npm puts bats into .build" {
    fake_path
    fake npm 'while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/.bin" && cd "$2/node_modules/.bin" && printf "#!/bin/sh\n" >bats && chmod +x bats'
    get_bats
    equal bats "$status $(cat "$T/out")" "0 $T/a copy/.build/bats/node_modules/.bin/bats"
    rm "$T/fake/npm"
    get_bats
    equal "again" "$status $(cat "$T/out")" "0 $T/a copy/.build/bats/node_modules/.bin/bats"
}

@test "if nothing can get bats, the message says what to install" {
    fake_path
    get_bats
    equal status "$status" 1
    grep -q 'install the package bats' "$T/err" || fail "no advice"
    fake apt-get 'exit 1'
    fake npm 'exit 1'
    get_bats FAKE_ID=0
    equal status "$status" 1
    grep -q 'install the package bats' "$T/err" || fail "no advice"
}
