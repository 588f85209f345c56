// SPDX-License-Identifier: MIT
// Input and output. The cases write files in the current folder.
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "util/fail.h"
#include "util/in.h"
#include "util/out.h"

static int exists(const char *path) { return access(path, F_OK) == 0; }

// Files in the current folder.
static int files(void) {
    DIR *d = opendir(".");
    int n = 0;
    CHECK(d, "the current folder");
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static struct out *must_open(const char *path) {
    struct out *out = out_open(path, OUT_BINARY);
    CHECK(out, "%s", fail_text());
    return out;
}

// Pieces of all sizes around the buffer's come back as they were.
static void pieces(void) {
    static uint8_t data[300000], back[300000];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 7 + i / 251);
    static const size_t sizes[] = {1, 2, 3, 1000, 65535, 65536, 65537, 131071, 131072, 131073, 300000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            struct out *out = must_open("pieces");
            for (size_t at = 0; at < sizeof data; at += sizes[k]) {
                size_t n = sizeof data - at < sizes[k] ? sizeof data - at : sizes[k];
                CHECK(out_write(out, data + at, n) == 0, "%s", fail_text());
                if (sizes[k] < 1000 && at > 140000) break;
            }
            CHECK(out_close(out) == 0, "%s", fail_text());
            struct in *in = in_open("pieces");
            CHECK(in, "%s", fail_text());
            size_t total = 0;
            for (ssize_t got; (got = in_read(in, back + total,
                sizes[j] < sizeof back - total ? sizes[j] : sizeof back - total)) > 0;)
                total += (size_t)got;
            CHECK(total > 140000 && memcmp(data, back, total) == 0, "%zu, %zu", sizes[k], sizes[j]);
            CHECK(total == sizeof data || sizes[k] < 1000, "%zu bytes", total);
            in_close(in);
        }
}

// A file appears when it is closed; the old one stays until then, and for ever
// if the output is dropped.
static void whole_or_not(void) {
    struct out *out = must_open("file");
    CHECK(out_write(out, "old", 3) == 0 && out_flush(out) == 0, "%s", fail_text());
    CHECK(!exists("file") && files() == 1, "it is there too soon");
    CHECK(out_close(out) == 0 && exists("file") && files() == 1, "%s", fail_text());
    struct stat st;
    for (int drop = 1; drop >= 0; drop--) {
        out = must_open("file");
        CHECK(out_printf(out, "%s", "newer") == 0 && out_flush(out) == 0, "%s", fail_text());
        CHECK(stat("file", &st) == 0 && st.st_size == 3, "the old file is gone");
        if (drop)
            out_abort(out);
        else
            CHECK(out_close(out) == 0, "%s", fail_text());
        CHECK(stat("file", &st) == 0 && st.st_size == (drop ? 3 : 5) && files() == 1, "%d", drop);
    }
    out = must_open("file");
    out_remove_temporaries();
    CHECK(files() == 1, "a temporary is left");
    CHECK(out_close(out) == -1 && fail_text()[0], "a lost temporary goes unnoticed");
}

// The first failure sticks, and close tells it. The full disk is a limit on the
// size of files, so that a mistake of ours cannot replace a device.
static void full_disk(void) {
    static char large[200000];
    struct rlimit limit = {1000, 1000};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0, "limit");
    struct out *out = must_open("file");
    CHECK(out_write(out, large, 2000) == 0, "kept for later");
    CHECK(out_write(out, large, sizeof large) == -1, "a full disk takes it");
    CHECK(strncmp(fail_text(), "file: ", 6) == 0, "%s", fail_text());
    CHECK(out_write(out, large, 1) == -1 && out_flush(out) == -1, "forgotten");
    CHECK(out_close(out) == -1 && files() == 0, "forgotten");
    out = must_open("file");
    CHECK(out_write(out, large, 2000) == 0 && out_close(out) == -1, "close does not tell");
    CHECK(strncmp(fail_text(), "file: ", 6) == 0 && files() == 0, "%s", fail_text());
}

// Failures name the object.
static void failures(void) {
    static char large[200000];
    struct out *out;
    CHECK(out_open("missing/file", OUT_TEXT) == NULL && strstr(fail_text(), "missing/file: "), "%s",
          fail_text());
    CHECK(out_open(".", OUT_TEXT) == NULL && strstr(fail_text(), ".: is a directory"), "%s",
          fail_text());
    CHECK(in_open("missing") == NULL && strstr(fail_text(), "missing: "), "%s", fail_text());
    CHECK(in_open(".") == NULL && strstr(fail_text(), ".: is a directory"), "%s", fail_text());
    out = must_open("text");
    memset(large, 'x', sizeof large - 1);
    CHECK(out_printf(out, "%s", large) == -1 && strstr(fail_text(), "too long"), "%s", fail_text());
    out_abort(out);
    CHECK(files() == 0, "something is left");
}

// Lines of any length up to a mebibyte, the last with or without its newline.
static void lines(void) {
    static const size_t lengths[] = {0, 1, 5, 131071, 131072, 131073, 300000, 0, 1000000, 7};
    enum { N = sizeof lengths / sizeof *lengths };
    static char line[1 << 21];
    memset(line, 'a', sizeof line);
    for (int newline = 0; newline < 2; newline++) {
        struct out *out = must_open("lines");
        for (int i = 0; i < N; i++) {
            out_write(out, line, lengths[i]);
            if (newline || i < N - 1) out_write(out, "\n", 1);
        }
        CHECK(out_close(out) == 0, "%s", fail_text());
        struct in *in = in_open("lines");
        char *got;
        size_t n;
        for (int i = 0; i < N; i++)
            CHECK(in_line(in, &got, &n) == 1 && n == lengths[i] && strlen(got) == n &&
                  memcmp(got, line, n) == 0, "line %d: %zu characters", i, n);
        CHECK(in_line(in, &got, &n) == 0 && in_line(in, &got, &n) == 0, "no end");
        in_close(in);
    }
    struct out *out = must_open("lines");
    out_write(out, line, sizeof line);
    CHECK(out_close(out) == 0, "%s", fail_text());
    struct in *in = in_open("lines");
    char *got;
    size_t n;
    CHECK(in_line(in, &got, &n) == -1 && strstr(fail_text(), "lines: line too long"), "%s",
          fail_text());
    in_close(in);
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"pieces", pieces}, {"whole-or-not", whole_or_not},
                                              {"full-disk", full_disk},
                                              {"failures", failures}, {"lines", lines}, {0}};
    return check_main(cases, argc, argv);
}
