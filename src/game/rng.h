// SPDX-License-Identifier: MIT
// Random numbers: xoshiro256++ (Blackman, Vigna 2019), seeded by SplitMix64.
#ifndef GAME_RNG_H
#define GAME_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

static inline uint64_t rng_mix(uint64_t *x) {
    uint64_t z = *x += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// Stream number i of a seed. Streams of different (seed, i) are unrelated:
// the seed is mixed before i is added, so seed 1 is not seed 0 shifted by one.
static inline struct rng rng_stream(uint64_t seed, uint64_t i) {
    uint64_t x = seed;
    x = rng_mix(&x) + i;
    x = rng_mix(&x);
    struct rng r;
    for (int k = 0; k < 4; k++) r.s[k] = rng_mix(&x);
    return r;
}

static inline uint64_t rng_next(struct rng *r) {
    uint64_t *s = r->s, sum = s[0] + s[3], result = (sum << 23 | sum >> 41) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

// rng_split for compilers without 128-bit numbers; n is below 2^32.
static inline uint64_t rng_split_narrow(uint64_t *x, uint64_t n) {
    uint64_t low = (*x & 0xffffffffu) * n, high = (*x >> 32) * n + (low >> 32);
    *x = high << 32 | (low & 0xffffffffu);
    return high >> 32;
}

// Splits a uniform number: returns a choice below n, and leaves in *x the
// uniform rest. One draw serves several choices this way; after choices among
// at most 4 and 16 the bias of the next is below 2^-57.
static inline uint64_t rng_split(uint64_t *x, uint64_t n) {
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)*x * n;
    *x = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    return rng_split_narrow(x, n);
#endif
}

#endif
