// SPDX-License-Identifier: MIT
// The rules once more, naively, from the definition of the game: a grid of tile
// numbers whose tiles walk cell by cell until something stops them. It shares
// nothing with src/game but the numbering of the moves and of the cells.
#ifndef TEST_REFERENCE_H
#define TEST_REFERENCE_H

#include <stdint.h>
#include <string.h>

#include "game/kernel.h"
#include "game/play.h"

extern const struct kernel kernel_plain;
#ifdef WITH_V3
extern const struct kernel kernel_v3;
#endif

// The kernels that this machine runs, ended by NULL.
static inline const struct kernel *const *all_kernels(void) {
    static const struct kernel *list[3] = {&kernel_plain};
#ifdef WITH_V3
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) list[1] = &kernel_v3;
#endif
    return list;
}

struct grid {
    int rows, cols;
    long tile[16][16]; // 0 is empty
};

static inline int grid_has(const struct grid *g, int r, int c) {
    return r >= 0 && r < g->rows && c >= 0 && c < g->cols;
}

static inline void grid_walk(struct grid *g, char merged[16][16], int r, int c, int dr, int dc,
                             long *reward) {
    long tile = g->tile[r][c];
    while (grid_has(g, r + dr, c + dc) && g->tile[r + dr][c + dc] == 0) {
        g->tile[r][c] = 0;
        r += dr;
        c += dc;
        g->tile[r][c] = tile;
    }
    int nr = r + dr, nc = c + dc;
    if (grid_has(g, nr, nc) && g->tile[nr][nc] == tile && !merged[nr][nc]) {
        g->tile[r][c] = 0;
        g->tile[nr][nc] = 2 * tile;
        merged[nr][nc] = 1;
        *reward += 2 * tile;
    }
}

// Slides left, up, right or down (0 to 3); the tiles nearest the wall go first.
static inline long grid_slide(struct grid *g, unsigned move) {
    static const int down[4] = {0, -1, 0, 1}, right[4] = {-1, 0, 1, 0};
    char merged[16][16] = {{0}};
    long reward = 0;
    for (int i = 0; i < g->rows; i++)
        for (int j = 0; j < g->cols; j++) {
            int r = move == 3 ? g->rows - 1 - i : i, c = move == 2 ? g->cols - 1 - j : j;
            if (g->tile[r][c]) grid_walk(g, merged, r, c, down[move], right[move], &reward);
        }
    return reward;
}

static inline int grid_equal(const struct grid *a, const struct grid *b) {
    for (int r = 0; r < a->rows; r++)
        for (int c = 0; c < a->cols; c++)
            if (a->tile[r][c] != b->tile[r][c]) return 0;
    return 1;
}

// A move is possible if somewhere a tile has an empty or equal neighbour.
static inline int grid_over(const struct grid *g) {
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->cols; c++) {
            if (!g->tile[r][c]) continue;
            for (int k = 0; k < 4; k++) {
                int nr = r + (k == 0) - (k == 1), nc = c + (k == 2) - (k == 3);
                if (!grid_has(g, nr, nc)) continue;
                if (!g->tile[nr][nc] || g->tile[nr][nc] == g->tile[r][c]) return 0;
            }
        }
    return 1;
}

static inline struct grid grid_of(const struct shape *s, struct board b) {
    struct grid g = {(int)s->rows, (int)s->cols, {{0}}};
    for (unsigned i = 0; i < s->cells; i++) {
        unsigned e = board_cell(b, i);
        g.tile[i / s->cols][i % s->cols] = e ? 1l << e : 0;
    }
    return g;
}

// Calls visit for all shapes of 2 to 16 cells.
static inline void each_shape(void (*visit)(struct shape *)) {
    for (unsigned rows = 1; rows <= 16; rows++)
        for (unsigned cols = 1; cols <= 16; cols++) {
            struct shape s;
            if (rows * cols >= 2 && rows * cols <= 16 && shape_init(&s, rows, cols) == 0) visit(&s);
        }
}

// A random board: any density, tiles from a random range up to 131072, often
// few kinds so that merges abound.
static inline struct board random_board(const struct shape *s, struct rng *r) {
    uint64_t x = rng_next(r);
    unsigned density = (unsigned)(x & 15) + 1, top = 1 + (unsigned)(x >> 8) % 17;
    unsigned low = x >> 16 & 1 ? 1 : top > 2 ? top - 2 : 1;
    struct board b = {0, 0};
    for (unsigned i = 0; i < s->cells; i++) {
        x = rng_next(r);
        if ((x & 15) < density) b = board_put(b, i, low + (unsigned)(x >> 8) % (top - low + 1));
    }
    return b;
}

#endif
