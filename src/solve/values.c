// SPDX-License-Identifier: MIT
#include "solve/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

static const char magic[4] = {'P', '2', 'V', 'A'};

// Boards that stand beside each other are worth nearly the same, so what is
// stored is the difference to the value before. How much two neighbours differ
// tells how much the next two will: classes of 0, and of differences up to
// 2^15, 2^17, 2^19, 2^20, 2^21, 2^23 steps.
static const uint8_t cuts[CLASSES - 1] = {0, 63, 71, 79, 83, 87, 95};

// Differences with the sign in the lowest bit.
static inline uint64_t folded(uint64_t to, uint64_t from) {
    int64_t d = (int64_t)(to - from);
    return (uint64_t)d << 1 ^ (uint64_t)(d >> 63);
}

static inline uint64_t unfolded(uint64_t v) { return v >> 1 ^ -(v & 1); }

struct values_writer {
    struct packed_writer packed;
    int failed;
    uint64_t *difference;
    uint8_t *scratch;
    size_t n, room, scratch_room;
    uint64_t last;
};

struct values_writer *values_create(unsigned precision, int (*sink)(void *, const void *, size_t),
                                    void *context) {
    struct values_writer *w = calloc(1, sizeof *w);
    if (!w) return fail("out of memory"), NULL;
    if (packed_create(&w->packed, magic, (uint8_t)precision, sink, context) == 0) return w;
    values_abandon(w);
    return NULL;
}

void values_abandon(struct values_writer *w) {
    if (!w) return;
    packed_free(&w->packed);
    free(w->difference);
    free(w->scratch);
    free(w);
}

static int put_segment(struct values_writer *w) {
    if (w->n == 0) return 0;
    size_t most = blocks_most(w->n), n = w->n;
    if (most > w->scratch_room) {
        free(w->scratch);
        if (!(w->scratch = fail_alloc(most, 1))) return -1;
        w->scratch_room = most;
    }
    w->n = 0;
    size_t size = blocks_encode(w->difference, n, cuts, w->scratch);
    return packed_segment(&w->packed, 0, n, 0, w->scratch, size);
}

int values_add(struct values_writer *w, const uint64_t *steps, size_t n) {
    if (w->failed) return -1;
    for (size_t i = 0; i < n; i++) {
        if (w->n == w->room) {
            size_t room = w->room ? 4 * w->room : 1024;
            uint64_t *wider = realloc(w->difference, room * sizeof *wider);
            if (!wider) return w->failed = 1, fail("memory: cannot get %zu x 8 bytes", room);
            w->difference = wider;
            w->room = room;
        }
        // A block's first value stands for itself.
        w->difference[w->n] = w->n % VALUES_BLOCK ? folded(steps[i], w->last) : steps[i];
        w->last = steps[i];
        if (++w->n == VALUES_SEGMENT && put_segment(w)) return w->failed = 1, -1;
    }
    return 0;
}

int values_finish(struct values_writer *w) {
    struct packed_end end = {0};
    int status = w->failed || put_segment(w) || packed_finish(&w->packed, &end) ? -1 : 0;
    values_abandon(w);
    return status;
}

struct values {
    struct packed packed;
    struct blocks *segment;
};

struct values *values_open(const char *path) {
    struct values *v = calloc(1, sizeof *v);
    if (!v) return fail("out of memory"), NULL;
    if (packed_open(&v->packed, path, magic, "a file of values")) return free(v), NULL;
    int status = v->packed.parameter > 40 ? fail("%s: header is damaged", path) : 0;
    v->segment = calloc(v->packed.parts + 1, sizeof *v->segment);
    if (!v->segment) status = fail("out of memory");
    for (uint64_t i = 0; i < v->packed.parts && status == 0; i++) {
        const struct packed_part *part = &v->packed.part[i];
        status = part->codec || part->first
                     ? fail("%s: segment of unknown codec", path)
                     : blocks_open(&v->segment[i], part->data, part->size, part->count, cuts, path);
    }
    if (status == 0) return v;
    values_close(v);
    return NULL;
}

void values_close(struct values *v) {
    if (!v) return;
    for (uint64_t i = 0; v->segment && i < v->packed.parts; i++) blocks_close(&v->segment[i]);
    free(v->segment);
    packed_close(&v->packed);
    free(v);
}

uint64_t values_count(const struct values *v) { return v->packed.count; }
uint64_t values_bytes(const struct values *v) { return v->packed.size; }
unsigned values_precision(const struct values *v) { return v->packed.parameter; }

size_t values_block(const struct values *v, uint64_t block, uint64_t steps[VALUES_BLOCK]) {
    if (block * VALUES_BLOCK >= v->packed.count) return 0;
    uint64_t a_segment = VALUES_SEGMENT / VALUES_BLOCK;
    size_t n = blocks_read(&v->segment[block / a_segment], block % a_segment, UINT64_MAX, steps);
    for (size_t i = 1; i < n; i++) steps[i] = steps[i - 1] + unfolded(steps[i]);
    return n;
}

double values_at(const struct values *v, uint64_t i) {
    uint64_t steps[VALUES_BLOCK];
    values_block(v, i / VALUES_BLOCK, steps);
    return ldexp((double)steps[i % VALUES_BLOCK], -(int)v->packed.parameter);
}
