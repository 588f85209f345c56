// SPDX-License-Identifier: MIT
// Sets and values: what goes in comes out, and nothing damaged is taken.
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "game/rng.h"
#include "solve/huffman.h"
#include "solve/set.h"
#include "solve/values.h"
#include "util/fail.h"

// A file in memory.
struct bytes {
    uint8_t *data;
    size_t n, room;
};

static int sink(void *context, const void *data, size_t n) {
    struct bytes *b = context;
    if (b->n + n > b->room) b->data = realloc(b->data, b->room = 2 * (b->n + n));
    memcpy(b->data + b->n, data, n);
    b->n += n;
    return 0;
}

static struct bytes packed(const uint64_t *ids, size_t n, enum set_codec codec) {
    struct bytes b = {0};
    struct set_writer *w = set_create(codec, sink, &b);
    uint64_t notes[SET_NOTES] = {n, 2, 3, 4};
    CHECK(w, "%s", fail_text());
    for (size_t i = 0; i < n; i += 1000) CHECK(set_add(w, ids + i, n - i < 1000 ? n - i : 1000) == 0, "%s", fail_text());
    CHECK(set_finish(w, notes) == 0, "%s", fail_text());
    return b;
}

// Reads all, ranks all and what lies between.
static void check_set(const uint64_t *ids, size_t n, enum set_codec codec) {
    struct bytes b = packed(ids, n, codec);
    struct set *s = set_view(b.data, b.n, "set");
    uint64_t block[SET_BLOCK];
    CHECK(s, "%s", fail_text());
    CHECK(set_count(s) == n && set_notes(s)[0] == n && set_notes(s)[3] == 4, "counts");
    for (size_t i = 0; i < n; i += SET_BLOCK) {
        size_t got = set_block(s, i / SET_BLOCK, block);
        CHECK(got == (n - i < SET_BLOCK ? n - i : SET_BLOCK), "block at %zu has %zu", i, got);
        CHECK(memcmp(block, ids + i, got * sizeof *ids) == 0, "block at %zu", i);
    }
    for (size_t i = 0, step = n / 5000 + 1; i < n; i += step) {
        CHECK(set_rank(s, ids[i]) == (int64_t)i, "rank of %zu is %ld", i, (long)set_rank(s, ids[i]));
        CHECK(set_below(s, ids[i]) == i, "below %zu", i);
        if (ids[i] + 1 && (i + 1 == n || ids[i] + 1 < ids[i + 1])) {
            CHECK(set_rank(s, ids[i] + 1) == -1, "behind %zu", i);
            CHECK(set_below(s, ids[i] + 1) == i + 1, "below behind %zu", i);
        }
    }
    if (n && ids[0]) CHECK(set_rank(s, ids[0] - 1) == -1 && set_below(s, ids[0] - 1) == 0, "in front");
    CHECK(set_block(s, (n + SET_BLOCK - 1) / SET_BLOCK, block) == 0, "behind the end");
    set_close(s);
    free(b.data);
}

static size_t make_ids(uint64_t *ids, size_t n, unsigned kind, uint64_t seed) {
    struct rng rng = rng_stream(seed, kind);
    uint64_t id = kind == 3 ? 0 : rng_next(&rng) >> 40;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = rng_next(&rng), gap = 1;
        if (kind == 1) gap = 1 + rng_split(&x, 100);
        if (kind == 2) gap = 1 + (x >> (20 + (x & 31)));
        if (kind == 3 && i == n - 1) gap = UINT64_MAX - id;
        if (kind == 4) gap = x & 63 ? 1 : 1 + (x >> 24);
        if (i && gap > UINT64_MAX - id) return i;
        ids[i] = i || kind == 3 ? (id += i ? gap : 0) : id;
    }
    return n;
}

static void sets(void) {
    static const size_t sizes[] = {0, 1, 2, 255, 256, 257, 1000, 70000, SET_SEGMENT, SET_SEGMENT + 300};
    uint64_t *ids = malloc((SET_SEGMENT + 300) * sizeof *ids);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned kind = 0; kind < 5; kind++)
            for (int codec = SET_GAPS; codec <= SET_SMALLEST; codec++)
                check_set(ids, make_ids(ids, sizes[i], kind, i), (enum set_codec)codec);
    free(ids);
}

static void wrong_order(void) {
    struct bytes b = {0};
    static const uint64_t falling[] = {5, 4}, twice[] = {7, 7}, fine[] = {1, 2};
    struct set_writer *w = set_create(SET_GAPS, sink, &b);
    CHECK(set_add(w, falling, 2) == -1 && strstr(fail_text(), "number 2"), "%s", fail_text());
    CHECK(set_add(w, fine, 2) == -1, "the failure does not stick");
    CHECK(set_finish(w, NULL) == -1, "finished");
    w = set_create(SET_GAPS, sink, &b);
    CHECK(set_add(w, twice, 2) == -1, "twice");
    set_abandon(w);
    w = set_create(SET_GAPS, sink, &b);
    CHECK(set_add(w, fine, 2) == 0 && set_add(w, fine + 1, 1) == -1, "over two calls");
    set_abandon(w);
    free(b.data);
}

// Every cut and every flipped bit of a small file of each codec is refused.
static void damage(void) {
    uint64_t ids[600];
    for (int codec = SET_GAPS; codec <= SET_ELIAS_FANO; codec++) {
        struct bytes b = packed(ids, make_ids(ids, 600, 2, 1), (enum set_codec)codec);
        for (size_t n = 0; n < b.n; n++) CHECK(!set_view(b.data, n, "set"), "cut at %zu", n);
        for (size_t i = 0; i < 8 * b.n; i++) {
            b.data[i / 8] ^= (uint8_t)(1 << i % 8);
            CHECK(!set_view(b.data, b.n, "set"), "bit %zu", i);
            b.data[i / 8] ^= (uint8_t)(1 << i % 8);
        }
        struct set *s = set_view(b.data, b.n, "set");
        CHECK(s, "the undamaged file is refused");
        set_close(s);
        free(b.data);
    }
}

static void check_values(const uint64_t *steps, size_t n, unsigned precision) {
    struct bytes b = {0};
    struct values_writer *w = values_create(precision, sink, &b);
    uint64_t block[VALUES_BLOCK];
    CHECK(w && values_add(w, steps, n / 3) == 0 && values_add(w, steps + n / 3, n - n / 3) == 0, "%s", fail_text());
    CHECK(values_finish(w) == 0, "%s", fail_text());
    FILE *f = fopen("values", "wb");
    CHECK(f && fwrite(b.data, 1, b.n, f) == b.n && fclose(f) == 0, "file");
    struct values *v = values_open("values");
    CHECK(v && values_count(v) == n && values_precision(v) == precision, "%s", fail_text());
    for (size_t i = 0; i < n; i += VALUES_BLOCK) {
        size_t got = values_block(v, i / VALUES_BLOCK, block);
        CHECK(got == (n - i < VALUES_BLOCK ? n - i : VALUES_BLOCK), "block at %zu has %zu", i, got);
        CHECK(memcmp(block, steps + i, got * sizeof *steps) == 0, "block at %zu", i);
    }
    for (size_t i = 0; i < n; i += n / 100 + 1)
        CHECK(values_at(v, i) * (double)(1ull << precision) == (double)steps[i], "value %zu", i);
    values_close(v);
    for (size_t i = 0; i < 8 * b.n && n == 300 && precision == 12; i++) {
        b.data[i / 8] ^= (uint8_t)(1 << i % 8);
        f = fopen("values", "wb");
        CHECK(fwrite(b.data, 1, b.n, f) == b.n && fclose(f) == 0, "file");
        CHECK(!values_open("values"), "bit %zu", i);
        b.data[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    unlink("values");
    free(b.data);
}

static void values(void) {
    static const size_t sizes[] = {0, 1, 256, 300, 5000, VALUES_SEGMENT + 1};
    uint64_t *steps = malloc((VALUES_SEGMENT + 1) * sizeof *steps);
    struct rng rng = rng_stream(3, 3);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned shift = 4; shift < 64; shift += 24) {
            for (size_t k = 0; k < sizes[i]; k++) steps[k] = k % 5 ? rng_next(&rng) >> shift : 0;
            check_values(steps, sizes[i], shift == 52 ? 12 : shift);
        }
    free(steps);
}

// Code lengths are those of a full code, no longer than allowed, and shorter
// for what is more frequent.
static void huffman(void) {
    for (unsigned kind = 0; kind < 200; kind++) {
        struct rng rng = rng_stream(kind, 1);
        uint32_t count[HUFFMAN_SYMBOLS] = {0};
        uint8_t length[HUFFMAN_SYMBOLS], again[HUFFMAN_SYMBOLS], packed_lengths[HUFFMAN_SYMBOLS];
        uint16_t table[1 << HUFFMAN_BITS], code[HUFFMAN_SYMBOLS];
        unsigned used = 1 + kind % HUFFMAN_SYMBOLS, room = 0, n = 0;
        for (unsigned i = 0; i < used; i++) count[i * 7 % HUFFMAN_SYMBOLS] = (uint32_t)(rng_next(&rng) >> (33 + kind % 30)) + (kind & 1);
        huffman_lengths(count, length);
        for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) {
            CHECK(!length[i] == !count[i] && length[i] <= HUFFMAN_BITS, "symbol %u", i);
            if (length[i]) room += 1u << (HUFFMAN_BITS - length[i]), n++;
            for (unsigned k = 0; k < HUFFMAN_SYMBOLS; k++)
                CHECK(!(count[i] > count[k] && count[k] && length[i] > length[k]), "%u against %u", i, k);
        }
        CHECK(n < 2 || room == 1u << HUFFMAN_BITS, "code is not full: %u", room);
        size_t size = huffman_put(length, packed_lengths);
        CHECK(huffman_get(packed_lengths, size, again) == size && memcmp(length, again, sizeof length) == 0, "lengths");
        CHECK(huffman_get(packed_lengths, size - 1, again) == 0, "cut lengths");
        CHECK(huffman_table(length, table) == 0, "table");
        huffman_codes(length, code);
        for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++)
            if (length[i]) CHECK(table[code[i]] == (i << 4 | length[i]), "symbol %u", i);
    }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"sets", sets},     {"wrong-order", wrong_order}, {"damage", damage},
                                              {"values", values}, {"huffman", huffman},         {NULL, NULL}};
    return check_main(cases, argc, argv);
}
