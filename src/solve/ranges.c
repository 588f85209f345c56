// SPDX-License-Identifier: MIT
#include "solve/ranges.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void ranges_init(struct ranges *r, unsigned n, uint64_t *sample, size_t samples) {
    unsigned k = 0;
    qsort(sample, samples, sizeof *sample, by_number);
    r->n = n;
    for (unsigned i = 0; i < n; i++)
        r->bound[i] = i + 1 < n && samples ? sample[(i + 1) * samples / n] : UINT64_MAX;
    uint64_t largest = samples ? sample[samples - 1] : 0;
    for (r->shift = 0; largest >> r->shift >> RANGE_BITS; r->shift++) {}
    for (uint64_t top = 0; top < 1 << RANGE_BITS; top++) {
        while (r->bound[k] <= top << r->shift) k++;
        r->start[top] = (uint16_t)k;
    }
}
