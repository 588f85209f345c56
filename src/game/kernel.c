// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
#include "game/kernel.h"

#include "game/play.h"
#include "util/cpu.h"

// The k-th legal move of each set of legal moves.
static const uint8_t legal_move[16][4] = {
    {0},    {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3},    {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};

static uint32_t slide(const struct shape *s, struct board b, enum move move, struct board *after) {
    return k_slide(s, b, move, after);
}

static unsigned slide_all(const struct shape *s, struct board b, struct board after[4],
                          uint32_t reward[4]) {
    return k_slide_all(s, b, after, reward);
}

static size_t random_game(const struct shape *s, struct rng *rng, uint64_t p4, struct board *board,
                          uint8_t *steps) {
    struct board b = *board;
    struct rng r = *rng;
    size_t n = 0;
    for (unsigned legal; (legal = k_legal(s, b)) && n < MOST_STEPS; n++) {
        uint64_t x = rng_next(&r);
        unsigned move = legal_move[legal][rng_split(&x, k_count(legal))];
        k_slide(s, b, move, &b);
        steps[n] = (uint8_t)(move | k_spawn(s, &b, x, p4));
    }
    *board = b;
    *rng = r;
    return n;
}

// Slides by the step's move; whether it moved something and the new tile falls
// on an empty cell of the board, with bit 7 clear.
static inline int step_holds(const struct shape *s, struct board b, unsigned step,
                             struct board *after, uint32_t *reward) {
    *reward = k_slide(s, b, step & 3, after);
    uint64_t bit = (uint64_t)1 << (step & 0x3c);
    return !board_equal(*after, b) && (bit & k_empty(s, *after)) && step < 128;
}

// The new tile of a step, in its place.
static inline uint64_t spawned(unsigned step) {
    return (uint64_t)1 << (step & 0x3c) << (step >> 6);
}

static size_t replay(const struct shape *s, struct board *board, const uint8_t *steps, size_t n,
                     uint32_t *fours) {
    struct board b = *board, after;
    uint32_t count = 0, reward;
    size_t i = 0;
    for (; i < n && step_holds(s, b, steps[i], &after, &reward); i++) {
        count += steps[i] >> 6;
        b = after;
        b.lo |= spawned(steps[i]);
    }
    *board = b;
    *fours += count;
    return i;
}

static size_t trace(const struct shape *s, struct board *board, const uint8_t *steps, size_t n,
                    struct board *after, uint32_t *reward) {
    struct board b = *board;
    size_t i = 0;
    for (; i < n && step_holds(s, b, steps[i], &after[i], &reward[i]); i++) {
        b = after[i];
        b.lo |= spawned(steps[i]);
    }
    *board = b;
    return i;
}

const struct kernel CPU_NAME(kernel) = {
#ifdef __BMI2__
    "v3",
#else
    "plain",
#endif
    slide, slide_all, random_game, replay, trace};
