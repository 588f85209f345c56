// SPDX-License-Identifier: MIT
// The rules in the form the solver wants them: boards of at most 14 cells as
// one number, many at a time, always in normal form.
//
// Such a board has no tile above 32768, so cell i is the nibble at bits 4i and
// the number is struct board's lo. The normal form is the smallest number among
// the board's symmetric images, as board_normal has it.
#ifndef SOLVE_RULES_H
#define SOLVE_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "game/board.h"

enum { MOST_SOLVED_CELLS = 14 };

// Where one lookup gives both slides of a line, and the reward they share.
enum { LONGEST_PAIRED = 5 };

struct rules {
    struct shape shape;
    const struct solve_kernel *kernel;
    // The normal form's parts. Rows change places by swaps of fields, and a
    // square is transposed by one swap a diagonal.
    unsigned turn;        // 64 less the board's bits: shift after reversing
    unsigned row_swaps;
    struct {
        unsigned shift;
        uint64_t low;     // the field that moves up; the one it meets moves down
    } row_swap[8], diagonal[3];
    uint64_t row_still, diagonal_still;
    unsigned diagonals;   // 0 unless square
    // The line after sliding to its first cell, to its last, and a quarter of
    // the reward, 20, 20 and 24 bits. Index 0 for rows, 1 for columns; NULL
    // for lines longer than LONGEST_PAIRED.
    const uint64_t *pair[2];
    unsigned lines[2];
};

// 0, or -1 for boards that are too large. Tables are shared and stay.
int rules_init(struct rules *rules, const struct shape *shape);

// The loops that take nearly all the solver's time; one set a CPU variant.
struct solve_kernel {
    // Brings n boards to normal form in place.
    void (*normal)(const struct rules *, uint64_t *boards, size_t n);
    // Every state that a tile of this exponent on an empty cell makes of the n
    // afterstates, those of the first one first; room for n * cells. The count.
    size_t (*spawn)(const struct rules *, const uint64_t *afterstates, size_t n, unsigned exponent,
                    uint64_t *states);
    // Every afterstate of the n states, in normal form; room for n * 4. States
    // without one are counted in *terminal.
    size_t (*slide)(const struct rules *, const uint64_t *states, size_t n, uint64_t *afterstates,
                    uint64_t *terminal);
    // As slide, for one state after another with their rewards: states[i] has
    // moves[i] afterstates, those of all states in one row.
    size_t (*slide_rewards)(const struct rules *, const uint64_t *states, size_t n,
                            uint64_t *afterstates, uint32_t *rewards, uint8_t *moves);
    // How many cells are empty on all n boards, and on each one unless NULL.
    uint64_t (*empty)(const struct rules *, const uint64_t *boards, size_t n, uint8_t *each);
};

const struct solve_kernel *solve_kernel_best(void);

static inline uint64_t rules_normal(const struct rules *rules, uint64_t board) {
    rules->kernel->normal(rules, &board, 1);
    return board;
}

// The afterstate of a move and its reward; equal to state if the move is illegal.
static inline uint64_t rules_slide(const struct rules *rules, uint64_t state, enum move move,
                                   uint32_t *reward) {
    struct board after;
    *reward = board_slide(&rules->shape, (struct board){state, 0}, move, &after);
    return after.lo;
}

#endif
