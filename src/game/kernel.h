// SPDX-License-Identifier: MIT
// The rules as inline functions, for loops where every cycle counts.
//
// A file that includes this is listed as HOT in the Makefile and is compiled
// once for every variant of util/cpu.h. Others use game/board.h.
#ifndef GAME_KERNEL_H
#define GAME_KERNEL_H

#include "game/board.h"
#include "game/rng.h"
#include "game/slide16.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define CELL_BITS 0x1111111111111111u

// Any board, any tile, line by line and cell by cell (game/board.c).
uint32_t board_slide_slowly(const struct shape *shape, struct board b, enum move move,
                            struct board *after);

// Bit 4i where nibble i is not 0.
static inline uint64_t k_nonzero(uint64_t x) {
    x |= x >> 2;
    x |= x >> 1;
    return x & CELL_BITS;
}

static inline uint64_t k_occupied(struct board b) { return k_nonzero(b.lo) | b.hi; }

static inline uint64_t k_empty(const struct shape *s, struct board b) {
    return ~k_occupied(b) & s->all;
}

// Whether a table cannot hold what a slide makes: a tile of 65536 or more is
// there, or two of 32768.
static inline int k_large(struct board b) {
    uint64_t x = b.lo & b.lo >> 1;
    x = x & x >> 2 & CELL_BITS;
    return (b.hi | (x & (x - 1))) != 0;
}

static inline unsigned k_gather(const struct shape *s, uint64_t x, unsigned axis, unsigned k) {
#ifdef __BMI2__
    return (unsigned)_pext_u64(x, s->line[axis][k]);
#else
    unsigned n = 0;
    if (axis == 0) return (unsigned)(x >> (s->stride[1] * k & 63) & ((1u << s->stride[1]) - 1));
    for (unsigned r = 0; r < s->rows; r++)
        n |= (unsigned)(x >> (s->stride[1] * r + 4 * k) & 15) << 4 * r;
    return n;
#endif
}

static inline uint64_t k_scatter(const struct shape *s, uint32_t n, unsigned axis, unsigned k) {
#ifdef __BMI2__
    return _pdep_u64(n, s->line[axis][k]);
#else
    uint64_t x = 0;
    if (axis == 0) return (uint64_t)(n & ((1u << s->stride[1]) - 1)) << s->stride[1] * k;
    for (unsigned r = 0; r < s->rows; r++)
        x |= (uint64_t)(n >> 4 * r & 15) << (s->stride[1] * r + 4 * k);
    return x;
#endif
}

static inline uint32_t k_slide(const struct shape *s, struct board b, unsigned move,
                               struct board *after) {
    const uint32_t *table = s->table[move];
    if (__builtin_expect(!table || k_large(b), 0)) return board_slide_slowly(s, b, move, after);
    unsigned axis = move & 1;
    uint64_t lo = 0;
    uint32_t reward = 0;
#ifdef __BMI2__
    unsigned lines = s->lines; // padding lines gather and scatter nothing
#else
    unsigned lines = axis ? s->cols : s->rows;
#endif
    for (unsigned k = 0; k < lines; k++) {
        uint32_t entry = table[k_gather(s, b.lo, axis, k)];
        lo |= k_scatter(s, entry, axis, k);
        reward += entry >> 16;
    }
    *after = (struct board){lo, 0};
    return reward * 4;
}

// All four slides. Returns the legal moves, bit 1 << move each; after[m] is b
// and reward[m] is 0 where the move is illegal. Left and right read the same
// rows, up and down the same columns, so each is gathered once.
static inline unsigned k_slide_all(const struct shape *s, struct board b, struct board after[4],
                                   uint32_t reward[4]) {
#ifdef __AVX2__
    if (s->rows == 4 && s->cols == 4) return slide16_all(b, after, reward);
#endif
    unsigned legal = 0;
    if (__builtin_expect(!s->table[0] || !s->table[1] || k_large(b), 0)) {
        for (unsigned m = 0; m < 4; m++) reward[m] = k_slide(s, b, m, &after[m]);
    } else
        for (unsigned axis = 0; axis < 2; axis++) {
            const uint32_t *first = s->table[axis], *last = s->table[axis + 2];
            uint64_t low = 0, high = 0;
            uint32_t low_reward = 0, high_reward = 0;
#ifdef __BMI2__
            unsigned lines = s->lines;
#else
            unsigned lines = axis ? s->cols : s->rows;
#endif
            for (unsigned k = 0; k < lines; k++) {
                unsigned line = k_gather(s, b.lo, axis, k);
                uint32_t x = first[line], y = last[line];
                low |= k_scatter(s, x, axis, k);
                high |= k_scatter(s, y, axis, k);
                low_reward += x >> 16;
                high_reward += y >> 16;
            }
            after[axis] = (struct board){low, 0};
            after[axis + 2] = (struct board){high, 0};
            reward[axis] = low_reward * 4;
            reward[axis + 2] = high_reward * 4;
        }
    for (unsigned m = 0; m < 4; m++) legal |= (unsigned)!board_equal(after[m], b) << m;
    return legal;
}

// Legal moves of one axis: bit 0 towards the first cell, bit 2 towards the last.
// A line can slide if somewhere a tile stands beside a gap on that side, or
// two neighbours are equal.
static inline unsigned k_legal_axis(const struct shape *s, struct board b, uint64_t occupied,
                                    unsigned axis) {
    unsigned d = s->stride[axis] & 63;
    uint64_t next = occupied >> d, pairs = s->pairs[axis];
    uint64_t differ = k_nonzero(b.lo ^ b.lo >> d) | (b.hi ^ b.hi >> d);
    uint64_t same = occupied & ~differ & pairs;
    unsigned low = ((next & ~occupied & pairs) | same) != 0;
    unsigned high = ((occupied & ~next & pairs) | same) != 0;
    return low | high << 2;
}

static inline unsigned k_legal(const struct shape *s, struct board b) {
    uint64_t occupied = k_occupied(b);
    return k_legal_axis(s, b, occupied, 0) | k_legal_axis(s, b, occupied, 1) << 1;
}

static inline unsigned k_count(uint64_t x) { return (unsigned)__builtin_popcountll(x); }

// The k-th set bit of x, as a mask.
static inline uint64_t k_select(uint64_t x, unsigned k) {
#ifdef __BMI2__
    return _pdep_u64((uint64_t)1 << k, x);
#else
    while (k--) x &= x - 1;
    return x & -x;
#endif
}

// Whether a player that strays with probability epsilon (times 2^53) does so now;
// then *move is any of the legal ones. Nothing is drawn if epsilon is 0.
static inline int k_stray(struct rng *rng, uint64_t epsilon, unsigned legal, unsigned *move) {
    if (__builtin_expect(!epsilon, 1) || rng_next(rng) >> 11 >= epsilon) return 0;
    uint64_t x = rng_next(rng);
    *move = (unsigned)__builtin_ctzll(k_select(legal, (unsigned)rng_split(&x, k_count(legal))));
    return 1;
}

// Puts a random tile on a random empty cell, with what is left of the draw x.
// p4 is the probability of a 4 times 2^53. Returns the step's spawn bits.
static inline uint8_t k_spawn(const struct shape *s, struct board *b, uint64_t x, uint64_t p4) {
    uint64_t empty = k_empty(s, *b);
    uint64_t bit = k_select(empty, (unsigned)rng_split(&x, k_count(empty)));
    unsigned four = x >> 11 < p4;
    b->lo |= bit << four;
    return (uint8_t)((unsigned)__builtin_ctzll(bit) | four << 6);
}

#endif
