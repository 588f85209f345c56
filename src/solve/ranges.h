// SPDX-License-Identifier: MIT
// Ranges of numbers that hold about equally many, found from a sample.
#ifndef SOLVE_RANGES_H
#define SOLVE_RANGES_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_RANGES = 4096, RANGE_BITS = 15 };

struct ranges {
    unsigned n;
    uint64_t bound[MOST_RANGES]; // the first number of the next range; UINT64_MAX at the end
    // The range in which the numbers with these upper bits begin.
    unsigned shift;
    uint16_t start[1 << RANGE_BITS];
};

// Makes n ranges (1 to MOST_RANGES); sorts the sample.
void ranges_init(struct ranges *r, unsigned n, uint64_t *sample, size_t samples);

// The range of a number, from 0.
static inline unsigned range_of(const struct ranges *r, uint64_t x) {
    uint64_t top = x >> r->shift, last = (1 << RANGE_BITS) - 1;
    unsigned i = r->start[top < last ? top : last];
    while (r->bound[i] <= x) i++;
    return i;
}

#endif
