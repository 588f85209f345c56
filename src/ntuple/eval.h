// SPDX-License-Identifier: MIT
// A network's value of afterstates, and greedy play by it.
#ifndef NTUPLE_EVAL_H
#define NTUPLE_EVAL_H

#include "game/play.h"
#include "ntuple/layout.h"

struct ntuple_kernel {
    float (*value)(const struct layout *l, const float *v, struct board after);
    // Plays the move with the largest reward plus value (the first of equals)
    // to the end of the game, as kernel.random does. v may change meanwhile.
    size_t (*greedy)(const struct layout *l, const float *v, struct rng *rng, uint64_t p4,
                     struct board *b, uint8_t *steps);
};

const struct ntuple_kernel *ntuple_kernel_best(void);

#endif
