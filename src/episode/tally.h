// SPDX-License-Identifier: MIT
// Statistics over many episodes.
#ifndef EPISODE_TALLY_H
#define EPISODE_TALLY_H

#include "episode/stream.h"

struct tally {
    uint64_t episodes, moves;
    uint64_t max_count[32]; // episodes by their largest exponent
    uint64_t sum;           // of all scores
    uint32_t *score;        // four bytes an episode, for the median
    size_t capacity;
};

struct tally_summary {
    double mean, deviation, ci95, median; // of the score; ci95 is the half width
    uint64_t least, most;
    unsigned max; // the largest exponent
};

// 0, or -1 when memory runs out.
int tally_add(struct tally *t, const struct episode_result *result, uint32_t steps);

// Sorts the scores. At least one episode must have been added.
struct tally_summary tally_summary(struct tally *t);

// Episodes that made at least this exponent.
uint64_t tally_reached(const struct tally *t, unsigned exponent);

void tally_free(struct tally *t);

#endif
