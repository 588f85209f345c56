// SPDX-License-Identifier: MIT
// Weights of one network from those of others.
#ifndef NTUPLE_FOLD_H
#define NTUPLE_FOLD_H

#include "ntuple/weights.h"

// Which tuples are contained in others after some symmetry, and where they go.
struct folding {
    unsigned into[MOST_TUPLES];  // the tuple that takes it up, or itself: it stays
    unsigned image[MOST_TUPLES]; // which of its images has all cells there
    unsigned stay;               // how many stay
};

struct folding fold_plan(const struct network *net);

// The network of the tuples that stay: the definition without the lines of the
// others. 0, or -1.
int fold_network(const struct network *net, const struct folding *f, struct network *to);

// Writes weights of that network that value every board as w does, up to
// rounding. Counts of moves and episodes are kept, accumulators are not, and
// weights that stood for those of the stage before become these. 0, or -1.
int fold_weights(const struct weights *w, const char *path);

// Writes the mean of weights of one network, so that every board's value is the
// mean of its values, up to rounding. Moves and episodes are added up. 0, or -1.
int fold_mean(char *const *paths, unsigned n, const char *path);

#endif
