// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
#include "ntuple/eval.h"
#include "ntuple/lookup.h"
#include "util/cpu.h"

static float value(const struct layout *l, const float *v, struct board after) {
    _Alignas(32) uint32_t index[MOST_FEATURES];
    lookup_all(l, after, index);
    return lookup_sum(l, v, index);
}

static size_t greedy(const struct layout *l, const float *v, struct rng *rng, uint64_t p4,
                     struct board *board, uint8_t *steps) {
    const struct shape *s = &l->shape;
    _Alignas(32) uint32_t index[4][MOST_FEATURES];
    struct board b = *board, after[4];
    struct rng r = *rng;
    size_t n = 0;
    for (; n < MOST_STEPS; n++) {
        // All indices are computed before the first weight is read, so that
        // the reads of all moves are under way at once.
        uint32_t reward[4];
        unsigned legal = k_slide_all(s, b, after, reward);
        if (!legal) break;
        for (unsigned m = 0; m < 4; m++) {
            if (!(legal >> m & 1)) continue;
            lookup_all(l, after[m], index[m]);
        }
        unsigned best = (unsigned)__builtin_ctz(legal);
        if (legal & (legal - 1)) {
            float most = (float)reward[best] + lookup_sum(l, v, index[best]);
            for (unsigned m = best + 1; m < 4; m++) {
                if (!(legal >> m & 1)) continue;
                float x = (float)reward[m] + lookup_sum(l, v, index[m]);
                if (x > most) most = x, best = m;
            }
        }
        b = after[best];
        steps[n] = (uint8_t)(best | k_spawn(s, &b, rng_next(&r), p4));
    }
    *board = b;
    *rng = r;
    return n;
}

const struct ntuple_kernel CPU_NAME(ntuple_kernel) = {value, greedy};
