// SPDX-License-Identifier: MIT
// A network's value of afterstates, and greedy play by it.
#ifndef NTUPLE_EVAL_H
#define NTUPLE_EVAL_H

#include "game/play.h"
#include "ntuple/layout.h"

struct ntuple_kernel {
    float (*value)(const struct layout *l, const uint16_t *v, struct board after);
    // The same for n afterstates.
    void (*values)(const struct layout *l, const uint16_t *v, const struct board *after, unsigned n,
                   double *to);
    // Plays n games to their end, always the move with the largest reward plus
    // value (the first of equals). v may change meanwhile.
    void (*greedy)(const struct layout *l, const uint16_t *v, uint64_t p4, struct game *game,
                   unsigned n);
};

const struct ntuple_kernel *ntuple_kernel_best(void);

#endif
