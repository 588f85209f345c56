// SPDX-License-Identifier: MIT
// Whole games: random play, and replaying what was played.
#ifndef GAME_PLAY_H
#define GAME_PLAY_H

#include "game/board.h"
#include "game/rng.h"

// No game is longer: every step adds at least 2 to the sum of the tiles, and
// what appears during a game on 16 cells cannot sum to 2^19.
enum { MOST_STEPS = 1 << 18 };

// A step in one byte: bits 0-1 the move, 2-5 the cell of the new tile, 6 set
// if it is a 4; bit 7 is 0.
static inline enum move step_move(uint8_t step) { return (enum move)(step & 3); }
static inline unsigned step_cell(uint8_t step) { return step >> 2 & 15; }
static inline unsigned step_exponent(uint8_t step) { return 1 + (step >> 6 & 1); }

// One of several games that are played side by side.
struct game {
    struct rng rng;
    struct board board; // the start; in the end, the last state
    uint8_t *step;      // room for MOST_STEPS
    size_t steps;
    uint64_t epsilon;   // probability of a random move instead of the player's, as p4
};

// The loops over whole games, compiled for every variant of util/cpu.h.
struct kernel {
    const char *name;
    uint32_t (*slide)(const struct shape *, struct board, enum move, struct board *after);
    // All four slides, as k_slide_all in game/kernel.h.
    unsigned (*slide_all)(const struct shape *, struct board, struct board after[4],
                          uint32_t reward[4]);
    // Plays random legal moves from *b to the end of the game; returns the
    // number of steps written (at most MOST_STEPS). p4 is scaled by 2^53.
    size_t (*random)(const struct shape *, struct rng *, uint64_t p4, struct board *b,
                     uint8_t *steps);
    // Applies n steps to *b, checking each. Returns how many were legal: less
    // than n means that the step of that index is not, and *b is the state
    // before it. Counts the 4s that appear in *fours.
    size_t (*replay)(const struct shape *, struct board *b, const uint8_t *steps, size_t n,
                     uint32_t *fours);
    // As replay, and keeps every afterstate and reward on the way.
    size_t (*trace)(const struct shape *, struct board *b, const uint8_t *steps, size_t n,
                    struct board *after, uint32_t *reward);
};

const struct kernel *kernel_best(void);

// A probability (0 to 1), such as that of a 4, as the kernels take it.
static inline uint64_t play_p4(double p) { return (uint64_t)(p * 9007199254740992.0); }

// A fresh game: two random tiles.
struct board play_start(const struct shape *shape, struct rng *rng, uint64_t p4);

#endif
