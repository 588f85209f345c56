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
        // All look-ups of all moves are asked for before the first is used:
        // the time goes into waiting for memory, and so it is one wait.
        float reward[4];
        unsigned legal = 0;
        for (unsigned m = 0; m < 4; m++) {
            reward[m] = (float)k_slide(s, b, m, &after[m]);
            if (board_equal(after[m], b)) continue;
            legal |= 1u << m;
            lookup_all(l, after[m], index[m]);
            lookup_prefetch(l, v, index[m]);
        }
        if (!legal) break;
        unsigned best = (unsigned)__builtin_ctz(legal);
        if (legal & (legal - 1)) {
            float most = reward[best] + lookup_sum(l, v, index[best]);
            for (unsigned m = best + 1; m < 4; m++) {
                if (!(legal >> m & 1)) continue;
                float x = reward[m] + lookup_sum(l, v, index[m]);
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
