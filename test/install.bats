#!/usr/bin/env bats
load helper

# A copy of the tree with what has been built, in a path with a space.
tree() {
    mkdir -p "$T/a copy/.build"
    cp -Rp "$root/Makefile" "$root/README.md" "$root/LICENSE" "$root/src" "$root/share" \
        "$root/pipelines" "$T/a copy/"
    cp -Rp "${BIN:-$root/bin}" "$T/a copy/bin"
    cp -Rp "${BUILD:-$root/.build/default}" "$T/a copy/.build/default"
    cd "$T/a copy" || return
}

fresh_make() { env -u CC -u CFLAGS -u CPPFLAGS -u LDFLAGS -u SAN -u BIN -u BUILD -u PREFIX -u DESTDIR make -s "$@"; }

@test "install copies programs, manual pages, documents and pipelines, and they work there" {
    tree
    to="$T/the root"
    umask 022
    works fresh_make install DESTDIR="$to" PREFIX=/usr
    for program in bin/*; do
        [ -n "$(find "$to/usr/$program" -perm 755)" ] || fail "$program"
    done
    for page in share/man/man*/*; do
        cmp "$page" "$to/usr/$page"
        [ -n "$(find "$to/usr/$page" -perm 644)" ] || fail "$page"
    done
    [ -n "$(find "$to" -name LICENSE)" ]
    [ -n "$(find "$to" -name README.md)" ]
    PATH=$to/usr/bin:/usr/bin:/bin
    gen-episodes -n 10 | episode-stat >stat
    equal episodes "$(value episodes stat)" 10
    try "$to/usr/share/pipe2048/pipelines/demo" -n 50
    equal status "$status" 0
}

@test "install puts completion scripts where bash and zsh look for them" {
    tree
    to="$T/the root"
    umask 022
    works fresh_make install DESTDIR="$to" PREFIX=/usr
    for program in bin/*; do
        name=${program#bin/}
        "$program" --completion bash | cmp - "$to/usr/share/bash-completion/completions/$name"
        "$program" --completion zsh | cmp - "$to/usr/share/zsh/site-functions/_$name"
        [ -n "$(find "$to/usr/share/zsh/site-functions/_$name" -perm 644)" ] || fail "$name"
    done
}

@test "uninstall leaves nothing behind" {
    tree
    for prefix in /usr /usr/local /opt/pipe2048; do
        to="$T/the root"
        mkdir "$to"
        works fresh_make install DESTDIR="$to" PREFIX=$prefix
        works fresh_make install DESTDIR="$to" PREFIX=$prefix
        [ -x "$to$prefix/bin/gen-episodes" ]
        works fresh_make uninstall DESTDIR="$to" PREFIX=$prefix
        rmdir "$to" || fail "left: $(find "$to")"
    done
    works fresh_make install PREFIX="$T/no destdir"
    [ -x "$T/no destdir/bin/gen-episodes" ]
    works fresh_make uninstall PREFIX="$T/no destdir"
    equal left "$(find "$T/no destdir" -type f)" ""
}

@test "uninstall keeps what others have installed" {
    tree
    to="$T/root"
    mkdir -p "$to/usr/bin" "$to/usr/share/man/man1" "$to/usr/share/doc/other"
    mkdir -p "$to/usr/share/bash-completion/completions" "$to/usr/share/zsh/site-functions"
    touch "$to/usr/bin/other" "$to/usr/share/man/man1/other.1" \
        "$to/usr/share/bash-completion/completions/other" "$to/usr/share/zsh/site-functions/_other"
    find "$to" | sort >before
    works fresh_make install DESTDIR="$to" PREFIX=/usr
    works fresh_make uninstall DESTDIR="$to" PREFIX=/usr
    find "$to" | sort | diff before -
}

@test "uninstall without an installation does nothing" {
    tree
    works fresh_make uninstall DESTDIR="$T/nothing" PREFIX=/usr
    [ ! -e "$T/nothing" ]
}

@test "install fails if it cannot write" {
    tree
    echo >"$T/file"
    try fresh_make install DESTDIR="$T/file" PREFIX=/usr
    [ "$status" != 0 ] || fail "status 0"
}
