#!/usr/bin/env bats
# Builds of a copy of the sources, in a path with a space, with every warning an error.
load helper

# make, whatever the one that runs us was told.
fresh_make() { env -u CC -u CFLAGS -u CPPFLAGS -u LDFLAGS -u SAN -u BIN -u BUILD make "$@"; }

# build ARGUMENTS: make in a fresh copy; then its games must be everybody's.
build() {
    mkdir "$T/a copy"
    cd "$T/a copy" || return
    cp -R "$root/Makefile" "$root/src" .
    mkdir -p test bin
    cp -R "$root/test/unit" test/
    try fresh_make all units CFLAGS='-O1 -Werror' "$@"
    [ "$status" = 0 ] || fail "make $*" || return
    not grep -i warning "$T/err" || return
    equal "games" "$(bin/gen-episodes -n 50 -s 7 | cksum)" '3409585674 6939' || return
    bin/gen-episodes -b 3x3 -n 50 -s 7 | bin/episode-text | bin/episode-text -r | cksum >"$T/sum"
    equal "games after text" "$(cat "$T/sum")" '1154834840 2745'
}

needs() { command -v "$1" >/dev/null || skip "$1 is missing"; }

@test "gcc builds everything without a warning" {
    needs gcc
    build CC=gcc
}

@test "clang builds everything without a warning, and the same games" {
    needs clang
    build CC=clang
}

@test "musl builds static programs that play the same games" {
    needs musl-gcc
    build CC=musl-gcc LDFLAGS=-static
    not ldd bin/gen-episodes
    .build/default/unit/util number-texts
    .build/default/unit/rules known
    .build/default/unit/par in-order
}

@test "a machine without our fast paths and without 128-bit numbers plays the same games" {
    # A compiler that names another machine, as far as the Makefile and the sources see.
    cat >"$T/other-cc" <<'END'
#!/bin/sh
[ "$1" != -dumpmachine ] || { echo riscv64-linux-gnu; exit; }
exec cc -U__SIZEOF_INT128__ "$@"
END
    chmod +x "$T/other-cc"
    # Its path may have a space, so make finds it by name.
    PATH=$T:$PATH build CC=other-cc
    not grep -q -e WITH_V3 -e mbmi2 "$T/out"
    .build/default/unit/random split
    .build/default/unit/rules games
    .build/default/unit/util crc
}

@test "a change of a header rebuilds what includes it, and make clean leaves only the sources" {
    build
    fresh_make -q all CFLAGS='-O1 -Werror' || fail "not up to date after make"
    touch -d '1 hour' src/util/command.h 2>/dev/null || { sleep 2 && touch src/util/command.h; }
    not fresh_make -q all
    fresh_make clean >/dev/null
    equal left "$(find . -type f | grep -v -e '^./src/' -e '^./test/unit/' -e '^./Makefile$')" ""
}
