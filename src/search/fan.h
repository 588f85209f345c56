// SPDX-License-Identifier: MIT
// The fan of an afterstate: where tiles can appear, and where the player can
// move then. For HOT files.
//
// Two empty cells of a line with no tile between them are one gap: wherever in
// it a tile appears, a move along the line leads to the same afterstate. So a
// fan holds each of them once, about half as many as there are moves.
#ifndef SEARCH_FAN_H
#define SEARCH_FAN_H

#include <math.h>
#include <string.h>

#include "game/kernel.h"

// At most 15 cells are empty; a 2 or a 4 appears; there are four moves.
enum { FAN_MOST = 15 * 2 * 4, FAN_NONE = FAN_MOST, FAN_GROUPS = 2 * 15 };

struct fan {
    uint64_t empty;  // bit 4i for every empty cell i
    unsigned spawns; // bit 0 if a 2 can appear, bit 1 if a 4 can
    unsigned n;      // different afterstates behind it
    struct board after[FAN_MOST];
    double reward[FAN_MOST];
    uint8_t four[FAN_MOST]; // whether a 4 appeared before it
    // Cells whose moves along an axis lead to the same afterstates form a group:
    // with a 2 and with a 4 towards the first cell of the line, then towards the
    // last. FAN_NONE is a move that is not legal.
    unsigned groups;
    uint8_t slot[FAN_GROUPS][4];
    uint8_t group[2][MOST_CELLS]; // by axis and cell
};

static inline uint8_t fan_add(struct fan *f, struct board after, uint32_t reward, unsigned four) {
    unsigned i = f->n++;
    f->after[i] = after;
    f->reward[i] = reward;
    f->four[i] = (uint8_t)four;
    return (uint8_t)i;
}

// One direction of an afterstate: its lines after the slide.
struct fan_slide {
    const uint32_t *table;
    uint32_t line[4];
    uint64_t board;
    uint32_t reward;
    unsigned moving; // lines that change, bit k each
};

// Both directions along an axis.
struct fan_axis {
    unsigned line[4]; // before
    struct fan_slide to[2];
};

static inline void fan_slide(const struct shape *s, uint64_t b, unsigned axis, struct fan_axis *a) {
    for (unsigned d = 0; d < 2; d++) {
        struct fan_slide *to = &a->to[d];
        to->table = s->table[axis + 2 * d];
        to->board = to->reward = to->moving = 0;
    }
    for (unsigned k = 0; k < s->length[!axis]; k++) {
        unsigned line = a->line[k] = k_gather(s, b, axis, k);
        for (unsigned d = 0; d < 2; d++) {
            struct fan_slide *to = &a->to[d];
            uint32_t slid = to->line[k] = to->table[line];
            to->board |= k_scatter(s, slid, axis, k);
            to->reward += slid >> 16;
            to->moving |= (unsigned)((slid & 0xffff) != line) << k;
        }
    }
}

// A gap: m cells of line k from the place p on.
struct fan_gap {
    unsigned axis, k, p, m;
    unsigned line; // with the gap
};

// The afterstate when a tile has appeared in the gap. The move is not legal if
// nothing changes: no other line, and not this one because the tile stands at
// the gap's end, as if it had slid there already. That end is marked in *fixed.
static inline uint8_t fan_child(const struct shape *s, struct fan *f, const struct fan_slide *to,
                                const struct fan_gap *g, unsigned last, unsigned four, unsigned *fixed) {
    if (!(f->spawns >> four & 1)) return FAN_NONE;
    uint32_t slid = to->table[g->line | (1 + four) << 4 * g->p], before = to->line[g->k];
    if (!(to->moving & ~(1u << g->k))) {
        unsigned end = g->p + (last ? g->m - 1 : 0);
        if ((slid & 0xffff) == (g->line | (1 + four) << 4 * end)) {
            *fixed |= 1u << (2 * last + four);
            if (g->m == 1) return FAN_NONE;
        }
    }
    struct board after = {to->board ^ k_scatter(s, slid ^ before, g->axis, g->k), 0};
    return fan_add(f, after, 4 * (to->reward - (before >> 16) + (slid >> 16)), four);
}

static inline void fan_fill(const struct shape *s, struct fan *f, const struct fan_axis *a,
                            const struct fan_gap *g) {
    unsigned first = g->axis ? g->p * s->cols + g->k : g->k * s->cols + g->p, fixed = 0;
    unsigned step = g->axis ? s->cols : 1;
    uint8_t *group = f->group[g->axis], *slot = f->slot[f->groups];
    slot[0] = fan_child(s, f, &a->to[0], g, 0, 0, &fixed);
    slot[1] = fan_child(s, f, &a->to[0], g, 0, 1, &fixed);
    slot[2] = fan_child(s, f, &a->to[1], g, 1, 0, &fixed);
    slot[3] = fan_child(s, f, &a->to[1], g, 1, 1, &fixed);
    for (unsigned c = 0; c < g->m; c++) group[first + c * step] = (uint8_t)f->groups;
    f->groups++;
    if (!fixed || g->m == 1) return;
    // The ends of the gap get groups of their own.
    for (unsigned last = 0; last < 2; last++) {
        uint8_t *own = f->slot[f->groups];
        if (!(fixed >> 2 * last & 3)) continue;
        memcpy(own, slot, 4);
        for (unsigned i = 2 * last; i < 2 * last + 2; i++)
            if (fixed >> i & 1) own[i] = FAN_NONE;
        group[first + (last ? g->m - 1 : 0) * step] = (uint8_t)f->groups++;
    }
}

static inline __attribute__((always_inline)) void fan_along(const struct shape *s, uint64_t b,
                                                            struct fan *f, unsigned axis) {
    struct fan_axis a;
    fan_slide(s, b, axis, &a);
    for (unsigned k = 0; k < s->length[!axis]; k++) {
        unsigned empty = k_gather(s, f->empty, axis, k);
        for (unsigned start = empty & ~(empty << 4); start; start &= start - 1) {
            unsigned at = (unsigned)__builtin_ctz(start);
            unsigned m = (unsigned)__builtin_ctz(~(empty >> at) & 0x11111) / 4;
            fan_fill(s, f, &a, &(struct fan_gap){axis, k, at / 4, m, a.line[k]});
        }
    }
}

// Any board, cell by cell.
static inline void fan_by_cells(const struct shape *s, struct board b, struct fan *f) {
    for (uint64_t rest = f->empty; rest; rest &= rest - 1) {
        unsigned cell = (unsigned)__builtin_ctzll(rest) / 4;
        for (unsigned axis = 0; axis < 2; axis++) f->group[axis][cell] = (uint8_t)(f->groups + axis);
        for (unsigned four = 0; four < 2; four++) {
            struct board state = board_put(b, cell, 1 + four), after[4];
            uint32_t reward[4];
            unsigned legal = f->spawns >> four & 1 ? k_slide_all(s, state, after, reward) : 0;
            for (unsigned m = 0; m < 4; m++)
                f->slot[f->groups + (m & 1)][(m & 2) + four] =
                    legal >> m & 1 ? fan_add(f, after[m], reward[m], four) : FAN_NONE;
        }
        f->groups += 2;
    }
}

// Fills a fan for an afterstate with at least one empty cell.
static inline void fan_open(const struct shape *s, struct board b, unsigned spawns, struct fan *f) {
    f->empty = k_empty(s, b);
    f->spawns = spawns;
    f->n = f->groups = 0;
    if (s->table[0] && s->table[1] && !k_large(b))
        fan_along(s, b.lo, f, 0), fan_along(s, b.lo, f, 1);
    else
        fan_by_cells(s, b, f);
}

// The expected worth of what the player makes of it: value has the values of
// its afterstates, and room for FAN_MOST + 1. The order of all sums is fixed.
static inline double fan_close(const struct fan *f, double p4, double *value) {
    double best[FAN_GROUPS][2], sum[2] = {0, 0};
    for (unsigned i = 0; i < f->n; i++) value[i] += f->reward[i];
    value[FAN_NONE] = -INFINITY;
    for (unsigned g = 0; g < f->groups; g++) {
        const uint8_t *slot = f->slot[g];
        for (unsigned v = 0; v < 2; v++) {
            double low = value[slot[v]], high = value[slot[2 + v]];
            best[g][v] = low > high ? low : high;
        }
    }
    unsigned cells = 0;
    for (uint64_t rest = f->empty; rest; rest &= rest - 1, cells++) {
        unsigned cell = (unsigned)__builtin_ctzll(rest) / 4;
        const double *a = best[f->group[0][cell]], *b = best[f->group[1][cell]];
        for (unsigned v = 0; v < 2; v++) {
            double x = a[v] > b[v] ? a[v] : b[v];
            sum[v] += x > -INFINITY ? x : 0; // a state without a move is worth 0
        }
    }
    return ((1 - p4) * sum[0] + p4 * sum[1]) / cells;
}

#endif
