// SPDX-License-Identifier: MIT
#include "episode/tally.h"

#include <math.h>
#include <stdlib.h>

#include "util/fail.h"

int tally_add(struct tally *t, const struct episode_result *result, uint32_t steps) {
    if (t->episodes == t->capacity) {
        size_t capacity = t->capacity ? t->capacity * 2 : 4096;
        uint32_t *wider = realloc(t->score, capacity * sizeof *wider);
        if (!wider) return fail("out of memory for %zu scores", capacity);
        t->score = wider;
        t->capacity = capacity;
    }
    t->score[t->episodes++] = (uint32_t)result->score;
    t->sum += result->score;
    t->moves += steps;
    t->max_count[result->max]++;
    return 0;
}

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

struct tally_summary tally_summary(struct tally *t) {
    size_t n = t->episodes;
    double mean = (double)t->sum / (double)n, squares = 0;
    qsort(t->score, n, sizeof *t->score, compare);
    for (size_t i = 0; i < n; i++) {
        double d = (double)t->score[i] - mean;
        squares += d * d;
    }
    double deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
    double median = ((double)t->score[(n - 1) / 2] + (double)t->score[n / 2]) / 2;
    unsigned max = 31;
    while (max && !t->max_count[max]) max--;
    return (struct tally_summary){mean,        deviation,       1.96 * deviation / sqrt((double)n),
                                  median,      t->score[0],     t->score[n - 1],
                                  max};
}

uint64_t tally_reached(const struct tally *t, unsigned exponent) {
    uint64_t n = 0;
    for (unsigned e = exponent; e < 32; e++) n += t->max_count[e];
    return n;
}

void tally_free(struct tally *t) { free(t->score); }
