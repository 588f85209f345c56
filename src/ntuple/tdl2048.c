// SPDX-License-Identifier: MIT
#include "ntuple/tdl2048.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ntuple/half.h"
#include "util/bytes.h"
#include "util/fail.h"

// A file is u8 0, u32 tables; a table is u8 4, a name {u32 cells as hex digits,
// u16 number of digits, u16 0}, u16 element size, u64 length, the elements, and
// fields {u16 size, u64 count, data} that a u16 0 ends. The first cell counts
// least; a cell has 16 values.
enum { FILE_KIND = 0, TABLE_KIND = 4, TABLE_HEADER = 19, ELEMENT = 4, LONGEST = 8, STEP = 4096 };

// Where element i of a table stands with us: what its low three digits and
// the others count.
struct numbering {
    uint32_t base, fold;
    uint32_t low[STEP];
    uint32_t *high;
    uint64_t n;
};

static inline uint32_t index_of(const struct numbering *n, uint64_t i) {
    return n->base + layout_fold(n->low[i % STEP] + n->high[i / STEP], n->fold);
}

static uint32_t add_digits(const uint32_t *stride, unsigned first, unsigned last, uint64_t x) {
    uint32_t sum = 0;
    for (unsigned i = first; i < last; i++, x >>= 4) sum += stride[i] * (uint32_t)(x & 15);
    return sum;
}

static int number(struct numbering *to, const struct layout *l, const struct network *net,
                  unsigned tuple) {
    uint32_t stride[MOST_TUPLE_CELLS];
    layout_strides(l, net, tuple, stride);
    to->base = l->table[tuple].base;
    to->fold = l->table[tuple].fold;
    unsigned n = net->tuple[tuple].n, low = n < 3 ? n : 3;
    to->n = (uint64_t)1 << 4 * n;
    uint64_t blocks = (to->n + STEP - 1) / STEP;
    to->high = fail_alloc(blocks, sizeof *to->high);
    if (!to->high) return -1;
    for (uint32_t x = 0; x < STEP; x++) to->low[x] = add_digits(stride, 0, low, x);
    for (uint64_t x = 0; x < blocks; x++) to->high[x] = add_digits(stride, low, n, x);
    return 0;
}

static int get(struct in *in, uint8_t *to, size_t n) {
    ssize_t got = in_read(in, to, n);
    if (got < 0) return -1;
    return (size_t)got == n ? 0 : fail("%s: cut short", in_name(in));
}

// Skips the fields behind a table's elements.
static int skip_fields(struct in *in) {
    uint8_t f[10], sink[STEP];
    for (;;) {
        if (get(in, f, 2)) return -1;
        if (get_u16(f) == 0) return 0;
        if (get(in, f + 2, 8)) return -1;
        uint64_t bytes;
        if (__builtin_mul_overflow((uint64_t)get_u16(f), get_u64(f + 2), &bytes))
            return fail("%s: field too large", in_name(in));
        for (uint64_t left = bytes; left;) {
            size_t n = left < STEP ? (size_t)left : STEP;
            if (get(in, sink, n)) return -1;
            left -= n;
        }
    }
}

struct table {
    unsigned n;
    uint8_t cell[LONGEST];
    uint8_t *data;
};

static int read_table(struct in *in, struct table *t) {
    uint8_t h[2 + TABLE_HEADER];
    if (get(in, h, TABLE_HEADER)) return -1;
    uint32_t digits = get_u32(h + 1);
    t->n = get_u16(h + 5);
    if (h[0] != TABLE_KIND || t->n < 1 || t->n > LONGEST || get_u16(h + 7))
        return fail("%s: not a table of cells", in_name(in));
    for (unsigned i = 0; i < t->n; i++) t->cell[i] = digits >> 4 * (t->n - 1 - i) & 15;
    if (get_u16(h + 9) != ELEMENT || get_u64(h + 11) != (uint64_t)1 << 4 * t->n)
        return fail("%s: a table that is not of 32-bit numbers with 16 values a cell", in_name(in));
    size_t size = (size_t)ELEMENT << 4 * t->n;
    t->data = fail_alloc(size, 1);
    return t->data && get(in, t->data, size) == 0 ? skip_fields(in) : -1;
}

// The definition that the tables amount to.
static int define(struct network *net, const struct table *t, unsigned n, const char *name) {
    char text[MOST_TUPLES * 48 + 128];
    size_t at = (size_t)snprintf(text, sizeof text, "# Imported from TDL2048+.\nboard 4x4\nvalues 16\n");
    for (unsigned i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "tuple");
        for (unsigned k = 0; k < t[i].n; k++)
            at += (size_t)snprintf(text + at, sizeof text - at, " %u", t[i].cell[k]);
        at += (size_t)snprintf(text + at, sizeof text - at, "\n");
    }
    return network_parse(net, name, text, at);
}

static int place_tables(const struct table *t, const struct network *net, const char *path) {
    struct layout *l = layout_new(net);
    float *v = NULL;
    int status = l ? 0 : -1;
    if (status == 0 && !(v = calloc(l->weights, sizeof *v)))
        status = fail("memory: cannot get %" PRIu64 " bytes", l->weights * sizeof *v);
    for (unsigned i = 0; status == 0 && i < net->tuples; i++) {
        struct numbering to;
        if ((status = number(&to, l, net, i))) break;
        for (uint64_t x = 0; x < to.n; x++)
            memcpy(&v[index_of(&to, x)], t[i].data + x * ELEMENT, ELEMENT);
        free(to.high);
    }
    if (status == 0) status = weights_create(path, net, 0, v);
    free(v);
    layout_free(l);
    return status;
}

int tdl2048_import(struct in *in, const char *path) {
    uint8_t h[5];
    struct table t[MOST_TUPLES] = {{0}};
    struct network net;
    if (get(in, h, sizeof h)) return -1;
    uint32_t n = get_u32(h + 1);
    if (h[0] != FILE_KIND || n < 1 || n > MOST_TUPLES)
        return fail("%s: not weights of TDL2048+", in_name(in));
    int status = 0;
    for (unsigned i = 0; status == 0 && i < n; i++) status = read_table(in, &t[i]);
    if (status == 0 && (status = define(&net, t, n, in_name(in))) == 0) {
        status = place_tables(t, &net, path);
        network_free(&net);
    }
    for (unsigned i = 0; i < n; i++) free(t[i].data);
    return status;
}

static void put_weight(uint8_t *to, const struct weights *w, uint32_t at) {
    float value = w->layout->scale * half_join(w->v[at], w->rest[at]);
    memcpy(to, &value, ELEMENT);
}

static int write_table(const struct weights *w, unsigned tuple, struct out *out) {
    const struct tuple *t = &w->net.tuple[tuple];
    uint8_t h[TABLE_HEADER] = {TABLE_KIND}, block[STEP * ELEMENT], end[2] = {0, 0};
    uint32_t digits = 0;
    for (unsigned i = 0; i < t->n; i++) digits = digits << 4 | t->cell[i];
    struct numbering from;
    if (number(&from, w->layout, &w->net, tuple)) return -1;
    put_u32(h + 1, digits);
    put_u16(h + 5, (uint16_t)t->n);
    put_u16(h + 9, ELEMENT);
    put_u64(h + 11, from.n);
    int status = out_write(out, h, sizeof h);
    for (uint64_t x = 0; status == 0 && x < from.n; x += STEP) {
        size_t n = from.n - x < STEP ? (size_t)(from.n - x) : STEP;
        for (size_t i = 0; i < n; i++)
            put_weight(block + i * ELEMENT, w, index_of(&from, x + i));
        status = out_write(out, block, n * ELEMENT);
    }
    free(from.high);
    return status ? -1 : out_write(out, end, sizeof end);
}

int tdl2048_export(const struct weights *w, struct out *out) {
    const struct network *net = &w->net;
    if (net->shape.rows != 4 || net->shape.cols != 4 || net->values != 16)
        return fail("%s: TDL2048+ has 4x4 boards with 16 values only", w->path);
    if (net->splits || network_stages(net) > 1)
        return fail("%s: TDL2048+ has no splits, and its stages are files of their own", w->path);
    for (unsigned i = 0; i < net->tuples; i++)
        if (net->tuple[i].n > LONGEST)
            return fail("%s: tuple %u has more than %d cells", w->path, i, LONGEST);
    uint8_t h[5] = {FILE_KIND};
    put_u32(h + 1, net->tuples);
    int status = out_write(out, h, sizeof h);
    for (unsigned i = 0; status == 0 && i < net->tuples; i++) status = write_table(w, i, out);
    return status;
}
