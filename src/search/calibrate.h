// SPDX-License-Identifier: MIT
// How well values foretell what is scored.
#ifndef SEARCH_CALIBRATE_H
#define SEARCH_CALIBRATE_H

#include "episode/stream.h"
#include "search/evaluator.h"

enum { CALIBRATE_RANGES = 24 };

struct calibrate_range {
    double low, high; // of the value
    uint64_t n;
    double value, score, square; // sums: value, later score, squared difference
};

// Ranges 1, 2, 5, 10, ... and one below 1.
struct calibrate {
    struct calibrate_range range[CALIBRATE_RANGES];
};

void calibrate_init(struct calibrate *c);

// Adds all afterstates of a complete episode. 0, or -1 on failure.
int calibrate_add(struct calibrate *c, const struct evaluator *e, const struct episode_reader *r,
                  const struct episode *episode);

#endif
