// SPDX-License-Identifier: MIT
// An n-tuple network once more, naively: a table of doubles for each stage, split
// and tuple in the order of its definition, and symmetries from the coordinates
// of the cells.
// It shares nothing with src/ntuple but the definition.
#ifndef TEST_NAIVE_H
#define TEST_NAIVE_H

#include <math.h>
#include <stdint.h>

#include "check.h"
#include "game/rng.h"
#include "ntuple/eval.h"
#include "ntuple/layout.h"
#include "util/cpu.h"
#include "util/fail.h"

extern const struct ntuple_kernel ntuple_kernel_plain;
#ifdef WITH_V3
extern const struct ntuple_kernel ntuple_kernel_v3;
#endif

// The kernels that this machine runs, ended by NULL.
static inline const struct ntuple_kernel *const *all_ntuple_kernels(void) {
    static const struct ntuple_kernel *list[3] = {&ntuple_kernel_plain};
#ifdef WITH_V3
    static int asked; // which takes long in virtual machines
    if (!asked && cpu_best() == CPU_V3) list[1] = &ntuple_kernel_v3;
    asked = 1;
#endif
    return list;
}

// A weight, and its sums of errors and of absolute errors (E and A); Autostep's
// step size, h and v; how many look-ups of the board at hand find it.
struct naive_weight {
    double v, e, a;
    double alpha, h, norm, x;
    int used; // where weights are promoted: it has a value of its own
};

enum { NAIVE_TABLES = 1024 };

struct naive {
    struct network net;
    unsigned images;
    uint8_t image[8][MOST_CELLS]; // which cell comes to stand at each cell
    unsigned each, tables; // tables of a stage, and in all
    size_t size[NAIVE_TABLES];
    struct naive_weight *table[NAIVE_TABLES];
    int promote;
};

// The value of a cell with a tile of exponent e as split s sees it; with e = -1,
// how many values there are.
static inline unsigned naive_digit(const struct network *net, unsigned s, int e) {
    int last = (int)net->values - 1, next = 0;
    int low = net->splits ? (int)net->split[s].low : 1, high = net->splits ? (int)net->split[s].high : last;
    // Go through the values and give a new number where a new label begins.
    for (int value = 0; value <= last; value++) {
        if (e == value || (value == last && e > last)) return (unsigned)next;
        int same = value && value + 1 < low;                // both are small
        same |= value > high && value < last;               // both are large
        if (!same) next++;
    }
    return (unsigned)next;
}

// Paper 003: a bit for each of the tiles; paper 000: by the largest tile.
static inline unsigned naive_stage(const struct network *net, struct board b) {
    unsigned stage = 0;
    for (unsigned k = 0; k < net->stage_tiles; k++) {
        int there = 0, last = k + 1 == net->stage_tiles;
        for (unsigned i = 0; i < net->shape.cells; i++) {
            unsigned e = board_cell(b, i);
            there |= e == net->stage_tile[k] || (e > net->stage_tile[k] && (last || !net->stage_bits));
        }
        if (there) stage = net->stage_bits ? stage | 1u << k : k + 1;
    }
    return stage;
}

static inline void naive_add_image(struct naive *n, int transpose, int flip_rows, int flip_cols) {
    const struct shape *s = &n->net.shape;
    uint8_t *to = n->image[n->images];
    for (unsigned i = 0; i < s->cells; i++) {
        unsigned r = i / s->cols, c = i % s->cols;
        if (transpose) {
            unsigned swap = r;
            r = c;
            c = swap;
        }
        if (flip_rows) r = s->rows - 1 - r;
        if (flip_cols) c = s->cols - 1 - c;
        to[i] = (uint8_t)(r * s->cols + c);
    }
    for (unsigned k = 0; k < n->images; k++)
        if (memcmp(n->image[k], to, s->cells) == 0) return;
    n->images++;
}

static inline struct naive *naive_new(const char *text) {
    struct naive *n = calloc(1, sizeof *n);
    CHECK(n, "memory");
    CHECK(network_parse(&n->net, "test", text, strlen(text)) == 0, "%s", fail_text());
    for (int k = 0; k < (n->net.shape.rows == n->net.shape.cols ? 8 : 4); k++)
        naive_add_image(n, k >> 2, k >> 1 & 1, k & 1);
    unsigned splits = n->net.splits ? n->net.splits : 1;
    unsigned stages = n->net.stage_bits ? 1u << n->net.stage_tiles : n->net.stage_tiles + 1;
    n->each = splits * n->net.tuples;
    n->tables = stages * n->each;
    CHECK(n->tables <= NAIVE_TABLES, "too many tables for a test");
    for (unsigned t = 0; t < n->tables; t++) {
        n->size[t] = 1;
        for (unsigned i = 0; i < n->net.tuple[t % n->net.tuples].n; i++)
            n->size[t] *= naive_digit(&n->net, t % n->each / n->net.tuples, -1);
        n->table[t] = calloc(n->size[t], sizeof *n->table[t]);
        CHECK(n->table[t], "memory");
    }
    return n;
}

static inline void naive_free(struct naive *n) {
    for (unsigned t = 0; t < n->tables; t++) free(n->table[t]);
    network_free(&n->net);
    free(n);
}

// The weight of table t of the board's stage under image k; the first cell
// counts most. A weight that its stage has not used takes over the one before.
static inline struct naive_weight *naive_at(const struct naive *n, struct board b, unsigned t,
                                            unsigned k) {
    const struct tuple *tuple = &n->net.tuple[t % n->net.tuples];
    unsigned split = t / n->net.tuples, digits = naive_digit(&n->net, split, -1);
    unsigned stage = naive_stage(&n->net, b);
    size_t index = 0;
    for (unsigned i = 0; i < tuple->n; i++)
        index = index * digits + naive_digit(&n->net, split, (int)board_cell(b, n->image[k][tuple->cell[i]]));
    struct naive_weight *w = &n->table[stage * n->each + t][index];
    if (n->promote && stage && !w->used) {
        unsigned from = stage;
        while (from && !n->table[from * n->each + t][index].used) from--;
        w->v = n->table[from * n->each + t][index].v;
        w->used = 1;
    }
    return w;
}

static inline double naive_value(const struct naive *n, struct board b) {
    double sum = 0;
    for (unsigned t = 0; t < n->each; t++)
        for (unsigned k = 0; k < n->images; k++) sum += naive_at(n, b, t, k)->v;
    return sum;
}

// Where entry `index` of table t stands with us.
static inline uint32_t naive_place(const struct naive *n, const struct layout *l, unsigned t,
                                   size_t index) {
    uint32_t stride[MOST_TUPLE_CELLS], number = 0;
    unsigned table = t % n->each, digits = naive_digit(&n->net, table / n->net.tuples, -1);
    layout_strides(l, &n->net, table, stride);
    for (unsigned i = n->net.tuple[t % n->net.tuples].n; i-- > 0; index /= digits)
        number += stride[i] * (uint32_t)(index % digits);
    return t / n->each * (uint32_t)l->stage_weights + l->table[table].base +
           layout_fold(number, l->table[table].fold);
}

// Random whole numbers that half-precision numbers hold exactly, times the scale.
static inline void naive_randomize(struct naive *n, const struct layout *l, uint64_t seed) {
    struct rng r = rng_stream(seed, 0);
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t i = 0; i < n->size[t]; i++)
            n->table[t][i].v = ((double)(rng_next(&r) % 4001) - 2000) * (double)l->scale;
}

#endif
