// SPDX-License-Identifier: MIT
// An n-tuple network once more, naively: a table of doubles for each tuple in
// the order of its definition, and symmetries from the coordinates of the cells.
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

// A weight, and its sums of errors and of absolute errors (E and A).
struct naive_weight {
    double v, e, a;
};

struct naive {
    struct network net;
    unsigned images;
    uint8_t image[8][MOST_CELLS]; // which cell comes to stand at each cell
    size_t size[MOST_TUPLES];
    struct naive_weight *table[MOST_TUPLES];
};

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
    for (unsigned t = 0; t < n->net.tuples; t++) {
        n->size[t] = 1;
        for (unsigned i = 0; i < n->net.tuple[t].n; i++) n->size[t] *= n->net.values;
        n->table[t] = calloc(n->size[t], sizeof *n->table[t]);
        CHECK(n->table[t], "memory");
    }
    return n;
}

static inline void naive_free(struct naive *n) {
    for (unsigned t = 0; t < n->net.tuples; t++) free(n->table[t]);
    network_free(&n->net);
    free(n);
}

// The weight of tuple t under image k; the first cell counts most.
static inline struct naive_weight *naive_at(const struct naive *n, struct board b, unsigned t,
                                            unsigned k) {
    size_t index = 0;
    for (unsigned i = 0; i < n->net.tuple[t].n; i++) {
        unsigned e = board_cell(b, n->image[k][n->net.tuple[t].cell[i]]);
        index = index * n->net.values + (e >= n->net.values ? n->net.values - 1 : e);
    }
    return &n->table[t][index];
}

static inline double naive_value(const struct naive *n, struct board b) {
    double sum = 0;
    for (unsigned t = 0; t < n->net.tuples; t++)
        for (unsigned k = 0; k < n->images; k++) sum += naive_at(n, b, t, k)->v;
    return sum;
}

// Where entry `index` of table t stands with us.
static inline uint32_t naive_place(const struct naive *n, const struct layout *l, unsigned t,
                                   size_t index) {
    uint32_t stride[MOST_TUPLE_CELLS], number = 0;
    layout_strides(l, &n->net, t, stride);
    for (unsigned i = n->net.tuple[t].n; i-- > 0; index /= n->net.values)
        number += stride[i] * (uint32_t)(index % n->net.values);
    return l->tuple[t].base + layout_fold(number, l->tuple[t].fold);
}

// Random whole numbers that half-precision numbers hold exactly, times the scale.
static inline void naive_randomize(struct naive *n, const struct layout *l, uint64_t seed) {
    struct rng r = rng_stream(seed, 0);
    for (unsigned t = 0; t < n->net.tuples; t++)
        for (size_t i = 0; i < n->size[t]; i++)
            n->table[t][i].v = ((double)(rng_next(&r) % 4001) - 2000) * (double)l->scale;
}

#endif
