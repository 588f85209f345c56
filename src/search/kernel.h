// SPDX-License-Identifier: MIT
// The search below the root, compiled for every variant of util/cpu.h.
#ifndef SEARCH_KERNEL_H
#define SEARCH_KERNEL_H

#include <stdatomic.h>

#include "search/evaluator.h"
#include "search/table.h"

enum { SEARCH_PLIES = 15 }; // the deepest

// How unlikely a path is counts in quarters of a bit: a quarter is a factor of
// 2^-0.25. Whole numbers, so that it is the same whichever way it was summed.
enum { SEARCH_QUARTERS = 127 }; // the most

// What one thread needs.
struct searcher {
    const struct shape *shape;
    const struct evaluator *evaluator;
    struct table *table; // NULL: none
    double p4;
    unsigned spawns;     // bit 0 if a 2 can appear, bit 1 if a 4 can
    uint8_t most[MOST_CELLS + 1]; // plies behind an afterstate with so many empty cells
    unsigned cutoff;     // quarters from which on a path is not followed; 0: all are
    uint8_t quarters[2][MOST_CELLS + 1]; // of a 2 and of a 4 among so many empty cells
    uint64_t nodes;      // afterstates that were valued
    int failed;          // this one's evaluator failed
    _Atomic int *over;   // when it is set, all searchers of a state end
    // Now and then it looks at the clock.
    double deadline, looked;
    double longest;      // time between two looks
    unsigned patience, interval; // fans until it looks again, and between two looks
};

struct search_kernel {
    // All four slides, as k_slide_all of game/kernel.h.
    unsigned (*slides)(const struct shape *shape, struct board state, struct board after[4],
                       uint32_t reward[4]);
    // The expected worth of an afterstate when the player looks so many plies
    // ahead; with 0 plies the evaluator's value. path is how unlikely it was to
    // come to it. If *s->over is set afterwards, the number means nothing.
    double (*value)(struct searcher *s, struct board after, unsigned plies, unsigned path);
};

const struct search_kernel *search_kernel_best(void);

// How many plies to look behind an afterstate of which so many are wanted.
static inline unsigned searcher_plies(const struct searcher *s, unsigned empty, unsigned plies) {
    return plies < s->most[empty] ? plies : s->most[empty];
}

// How unlikely a path becomes by a tile among so many empty cells.
static inline unsigned searcher_path(const struct searcher *s, unsigned empty, unsigned four,
                                     unsigned path) {
    return s->cutoff ? path + s->quarters[four][empty] : 0;
}

// Whether a path is not followed.
static inline int searcher_cuts(const struct searcher *s, unsigned path) {
    return s->cutoff && path >= s->cutoff;
}

// Sets *s->over if the deadline has passed, and patience anew.
void searcher_look(struct searcher *s);

#endif
