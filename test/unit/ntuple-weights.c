// SPDX-License-Identifier: MIT
// Weights files: damage of every kind, copies, and the form of TDL2048+. The
// cases write files in the current folder.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "naive.h"
#include "ntuple/half.h"
#include "ntuple/tdl2048.h"
#include "reference.h"
#include "util/bytes.h"

static const char tiny[] = "board 2x2\nvalues 2\ntuple 0 1\n";

static struct naive *make(const char *path, const char *text, double init) {
    struct naive *n = naive_new(text);
    CHECK(weights_create(path, &n->net, init, NULL) == 0, "%s", fail_text());
    return n;
}

static size_t size_of(const char *path) {
    struct stat st;
    CHECK(stat(path, &st) == 0, "%s", path);
    return (size_t)st.st_size;
}

static uint8_t *bytes_of(const char *path, size_t *n) {
    *n = size_of(path);
    uint8_t *b = malloc(*n);
    FILE *f = fopen(path, "rb");
    CHECK(b && f && fread(b, 1, *n, f) == *n, "%s", path);
    fclose(f);
    return b;
}

// As ntuple-info --verify does it.
static int verifies(const char *path) {
    struct weights w;
    if (weights_open(&w, path, WEIGHTS_PLAY)) return 0;
    int status = weights_verify(&w);
    CHECK(weights_close(&w) == 0, "%s", fail_text());
    return status == 0;
}

static void put_byte(int fd, size_t at, uint8_t byte) {
    CHECK(pwrite(fd, &byte, 1, (off_t)at) == 1, "pwrite");
}

// Every bit: of what a header has in it in a fresh look each, of the rest in
// one, which sees what is written meanwhile.
static void flip_all(const char *path) {
    size_t n;
    uint8_t *bytes = bytes_of(path, &n);
    struct weights w;
    int fd = open(path, O_WRONLY);
    CHECK(fd >= 0 && verifies(path), "%s", fail_text());
    CHECK(weights_open(&w, path, WEIGHTS_PLAY) == 0, "%s", fail_text());
    for (size_t i = 0; i < n; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            put_byte(fd, i, bytes[i] ^ (uint8_t)(1 << bit));
            int found = i < 200 || i % 500 == 0 ? !verifies(path) : weights_verify(&w) != 0;
            CHECK(found, "%s: bit %u of byte %zu of %zu", path, bit, i, n);
            CHECK(strncmp(fail_text(), path, strlen(path)) == 0, "no name: %s", fail_text());
        }
        put_byte(fd, i, bytes[i]);
    }
    CHECK(weights_verify(&w) == 0 && weights_close(&w) == 0 && verifies(path), "%s", fail_text());
    close(fd);
    free(bytes);
}

static void cut_all(const char *path, size_t step) {
    size_t n;
    uint8_t *bytes = bytes_of(path, &n);
    for (size_t i = n - 1; i < n; i -= step) {
        CHECK(truncate(path, (off_t)i) == 0, "truncate");
        CHECK(!verifies(path), "%s: %zu of %zu bytes", path, i, n);
        struct weights w;
        if (i % 64 == 0)
            CHECK(weights_open(&w, path, WEIGHTS_LEARN) == -1, "%s: %zu bytes can be learned", path, i);
        CHECK(strncmp(fail_text(), path, strlen(path)) == 0, "no name: %s", fail_text());
    }
    free(bytes);
}

// A file without and one with accumulators, both with something in them.
static void make_two(void) {
    naive_free(make("plain.w", tiny, 100));
    naive_free(make("tc.w", tiny, 100));
    struct weights w;
    CHECK(weights_open(&w, "tc.w", WEIGHTS_ALONE) == 0, "%s", fail_text());
    CHECK(weights_accumulate(&w, RULE_TC) == 0, "%s", fail_text());
    w.acc[3].sum = 2;
    *w.moves = 12345678901;
    *w.episodes = 7;
    CHECK(weights_close(&w) == 0, "%s", fail_text());
}

static void flips(void) {
    make_two();
    flip_all("plain.w");
    flip_all("tc.w");
}

static void cuts(void) {
    make_two();
    cut_all("plain.w", 1);
    cut_all("tc.w", 61);
}

// NaN and infinity are found wherever they stand, in spite of a right checksum.
static void no_numbers(void) {
    struct naive *n = make("nan.w", "board 2x2\nvalues 5\ntuple 0 1\n", 100);
    struct weights w;
    static const uint16_t bad[] = {0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xffff};
    for (uint32_t x = 0; x < n->size[0]; x++) {
        uint32_t at = 0;
        CHECK(weights_open(&w, "nan.w", WEIGHTS_ALONE) == 0, "%s", fail_text());
        at = naive_place(n, w.layout, 0, x);
        uint16_t before = w.v[at];
        w.v[at] = bad[x % 5];
        CHECK(weights_close(&w) == 0, "%s", fail_text());
        for (unsigned mode = WEIGHTS_PLAY; mode <= WEIGHTS_ALONE; mode++) {
            CHECK(weights_open(&w, "nan.w", (enum weights_mode)mode) == -1, "%04x at %u is taken", bad[x % 5], at);
            CHECK(strstr(fail_text(), "nan.w: ") && strstr(fail_text(), "not a number"), "%s", fail_text());
        }
        unlink("nan.w");
        CHECK(weights_create("nan.w", &n->net, 100, NULL) == 0 && before == half_write(100.0f / 8), "%s", fail_text());
    }
    naive_free(n);
}

// What was learned stays, is told, and is in copies made on the way.
static void copies(void) {
    naive_free(make("run.w", tiny, -8));
    struct weights w;
    struct weights_info i;
    CHECK(weights_open(&w, "run.w", WEIGHTS_LEARN) == 0, "%s", fail_text());
    CHECK(!verifies("run.w"), "verifies while it is learned");
    w.v[0] = half_write(77);
    *w.moves += 100;
    *w.episodes += 3;
    CHECK(weights_snapshot(&w, "copy.w") == 0 && verifies("copy.w"), "%s", fail_text());
    w.v[0] = half_write(78);
    CHECK(weights_close(&w) == 0 && verifies("run.w"), "%s", fail_text());
    for (int copy = 0; copy < 2; copy++) {
        CHECK(weights_open(&w, copy ? "copy.w" : "run.w", WEIGHTS_PLAY) == 0, "%s", fail_text());
        i = weights_info(&w);
        CHECK(i.clean && !i.busy && i.moves == 100 && i.episodes == 3, "%s: state or counts", w.path);
        CHECK(i.rule == RULE_NONE && i.parameters == 4, "%s: rule or parameters", w.path);
        CHECK(memcmp(&i.init, &(double){-8}, sizeof i.init) == 0, "%s: init %g", w.path, i.init);
        CHECK(half_read(w.v[0]) == (copy ? 77.0f : 78.0f), "%s: %g", w.path, (double)half_read(w.v[0]));
        CHECK(half_read(w.v[1]) == -1.0f, "%s: %g", w.path, (double)half_read(w.v[1]));
        CHECK(weights_close(&w) == 0, "%s", fail_text());
    }
}

// Learners may share a file, and players may always read it.
static void sharing(void) {
    naive_free(make("run.w", tiny, 0));
    struct weights a, b, c;
    CHECK(weights_open(&a, "run.w", WEIGHTS_LEARN) == 0, "%s", fail_text());
    CHECK(weights_open(&b, "run.w", WEIGHTS_LEARN) == 0, "%s", fail_text());
    CHECK(weights_open(&c, "run.w", WEIGHTS_PLAY) == 0, "%s", fail_text());
    CHECK(weights_info(&c).busy && !weights_info(&c).clean, "not told to be learned");
    a.v[0] = half_write(1);
    b.v[1] = half_write(2);
    CHECK(weights_close(&a) == 0 && weights_info(&c).busy, "the first leaves");
    CHECK(!weights_info(&c).clean, "closed by the first to leave");
    CHECK(weights_close(&b) == 0, "%s", fail_text());
    CHECK(weights_info(&c).clean && !weights_info(&c).busy, "not closed by the last to leave");
    CHECK(half_read(c.v[0]) == 1 && half_read(c.v[1]) == 2, "what both wrote");
    CHECK(weights_close(&c) == 0 && verifies("run.w"), "%s", fail_text());
}

// Two learners that open a file at the same time find the same accumulators,
// whichever of them makes the room.
static void together(void) {
    naive_free(make("run.w", tiny, 0));
    struct weights a, b, c;
    CHECK(weights_open(&a, "run.w", WEIGHTS_LEARN) == 0, "%s", fail_text());
    CHECK(weights_open(&b, "run.w", WEIGHTS_LEARN) == 0, "%s", fail_text());
    CHECK(weights_open(&c, "run.w", WEIGHTS_LEARN) == 0, "%s", fail_text());
    CHECK(weights_accumulate(&a, RULE_TC) == 0, "%s", fail_text());
    a.acc[3].sum = 5;
    CHECK(weights_accumulate(&b, RULE_TC) == 0, "%s", fail_text());
    CHECK(b.acc && b.acc[3].sum == 5, "the second learner has other accumulators, or none");
    CHECK(weights_close(&a) == 0 && weights_close(&b) == 0, "%s", fail_text());
    CHECK(weights_snapshot(&c, "copy.w") == 0 && verifies("copy.w"), "%s", fail_text());
    // One that never asked for them still seals them.
    CHECK(weights_close(&c) == 0 && verifies("run.w"), "%s", fail_text());
}

// A file of TDL2048+ by the letter of its format: with fields behind a table or not.
static void write_theirs(const char *path, const struct naive *n, int fields) {
    FILE *f = fopen(path, "wb");
    CHECK(f, "%s", path);
    uint8_t b[32] = {0};
    put_u32(b + 1, n->net.tuples);
    fwrite(b, 1, 5, f);
    for (unsigned t = 0; t < n->net.tuples; t++) {
        const struct tuple *tuple = &n->net.tuple[t];
        uint32_t name = 0;
        for (unsigned i = 0; i < tuple->n; i++) name = name * 16 + tuple->cell[i];
        b[0] = 4;
        put_u32(b + 1, name);
        put_u16(b + 5, (uint16_t)tuple->n);
        put_u16(b + 7, 0);
        put_u16(b + 9, 4);
        put_u64(b + 11, n->size[t]);
        fwrite(b, 1, 19, f);
        for (size_t x = 0; x < n->size[t]; x++) {
            // Ours counts the first cell most, theirs least.
            size_t ours = 0;
            for (unsigned i = 0; i < tuple->n; i++) ours = ours * 16 + (x >> 4 * i & 15);
            float value = (float)n->table[t][ours].v;
            fwrite(&value, sizeof value, 1, f);
        }
        put_u16(b, 3);
        put_u64(b + 2, 2);
        if (fields) fwrite(b, 1, 10 + 6, f);
        put_u16(b, 0);
        fwrite(b, 1, 2, f);
    }
    CHECK(fclose(f) == 0, "%s", path);
}

static int import(const char *path, const char *to) {
    struct in *in = in_open(path);
    CHECK(in, "%s", fail_text());
    int status = tdl2048_import(in, to);
    in_close(in);
    return status;
}

static const char theirs[] = "board 4x4\nvalues 16\ntuple 0 1 2 3\ntuple 4 5 6 10\ntuple 15 0\ntuple 3\n";

static void conversion(void) {
    struct naive *n = naive_new(theirs);
    struct layout *l = layout_new(&n->net);
    struct rng r = rng_stream(6, 0);
    CHECK(l, "%s", fail_text());
    naive_randomize(n, l, 1);
    write_theirs("theirs", n, 0);
    write_theirs("fields", n, 1);
    CHECK(import("theirs", "ours.w") == 0 && verifies("ours.w"), "%s", fail_text());
    CHECK(import("fields", "fields.w") == 0, "%s", fail_text());
    struct weights w;
    CHECK(weights_open(&w, "ours.w", WEIGHTS_PLAY) == 0, "%s", fail_text());
    for (unsigned i = 0; i < 2000; i++) {
        struct board b = random_board(&n->net.shape, &r);
        double got = (double)ntuple_kernel_plain.value(w.layout, w.v, b), want = naive_value(n, b);
        CHECK(got == want, "%g, not %g", got, want);
    }
    struct out *out = out_open("again", OUT_BINARY);
    CHECK(out && tdl2048_export(&w, out) == 0 && out_close(out) == 0, "%s", fail_text());
    weights_close(&w);
    size_t na, nb, nc, nd;
    uint8_t *a = bytes_of("theirs", &na), *b = bytes_of("again", &nb);
    uint8_t *c = bytes_of("ours.w", &nc), *d = bytes_of("fields.w", &nd);
    CHECK(na == nb && memcmp(a, b, na) == 0, "what came in does not go out");
    CHECK(nc == nd && memcmp(c, d, nc) == 0, "fields change the weights");
    free(a);
    free(b);
    free(c);
    free(d);
    layout_free(l);
    naive_free(n);
}

static void refuse_theirs(size_t at, uint8_t byte) {
    struct naive *n = naive_new("board 4x4\nvalues 16\ntuple 15 0\n");
    write_theirs("bad", n, 1);
    int fd = open("bad", O_WRONLY);
    put_byte(fd, at, byte);
    close(fd);
    CHECK(import("bad", "never.w") == -1, "byte %zu as %u is taken", at, byte);
    CHECK(strncmp(fail_text(), "bad: ", 5) == 0 || strstr(fail_text(), "weight"), "%s", fail_text());
    CHECK(access("never.w", F_OK) != 0, "a file is left");
    naive_free(n);
}

static void bad_conversions(void) {
    struct naive *n = naive_new("board 4x4\nvalues 16\ntuple 15 0\ntuple 3\n");
    write_theirs("cut", n, 1);
    for (size_t i = size_of("cut"); i-- > 0;) {
        CHECK(truncate("cut", (off_t)i) == 0, "truncate");
        CHECK(import("cut", "never.w") == -1, "%zu bytes are taken", i);
        CHECK(strcmp(fail_text(), "cut: cut short") == 0, "%zu bytes: %s", i, fail_text());
    }
    CHECK(access("never.w", F_OK) != 0, "a file is left");
    naive_free(n);
    refuse_theirs(0, 1);   // not a file of theirs
    refuse_theirs(1, 0);   // no tables
    refuse_theirs(1, 65);  // too many
    refuse_theirs(4, 1);   // far too many
    refuse_theirs(5, 3);   // another kind of table
    refuse_theirs(10, 0);  // no cells
    refuse_theirs(10, 9);  // too many
    refuse_theirs(6, 0xff); // a cell twice
    refuse_theirs(12, 1);  // the name's end
    refuse_theirs(14, 8);  // other elements
    refuse_theirs(16, 1);  // another length
    refuse_theirs(16 + 7, 1);
    refuse_theirs(5 + 19 + 3, 0x7f); // a weight that is too large
    refuse_theirs(5 + 19 + 1024 + 1, 0xff); // a field beyond the end
    refuse_theirs(5 + 19 + 1024 + 9, 0xff);
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"flips", flips},
                                              {"cuts", cuts},
                                              {"no-numbers", no_numbers},
                                              {"copies", copies},
                                              {"sharing", sharing},
                                              {"together", together},
                                              {"conversion", conversion},
                                              {"bad-conversions", bad_conversions},
                                              {NULL, NULL}};
    return check_main(cases, argc, argv);
}
