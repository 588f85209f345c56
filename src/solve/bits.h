// SPDX-License-Identifier: MIT
// Numbers of a few bits each, packed one behind the other, lowest bit first.
// Readers look at 8 bytes at a time: 8 more must follow the last number.
#ifndef SOLVE_BITS_H
#define SOLVE_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/bytes.h"

enum { BITS_PADDING = 8 };

struct bits {
    uint8_t *to;      // where the next whole byte goes; room is the caller's
    uint64_t held;
    unsigned n;       // bits in held, below 8 between calls
};

static inline uint64_t bits_word(const uint8_t *p) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
#else
    return get_u64(p);
#endif
}

static inline uint64_t bits_mask(unsigned width) {
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

// Puts up to 56 bits; v has no others.
static inline void bits_put(struct bits *b, uint64_t v, unsigned width) {
    b->held |= v << b->n;
    b->n += width;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(b->to, &b->held, 8);
#else
    put_u64(b->to, b->held);
#endif
    b->to += b->n >> 3;
    b->held >>= b->n & 56;
    b->n &= 7;
}

// As bits_put, for up to 64 bits.
static inline void bits_put_wide(struct bits *b, uint64_t v, unsigned width) {
    unsigned low = width < 32 ? width : 32;
    bits_put(b, v & bits_mask(low), low);
    if (width > 32) bits_put(b, v >> 32, width - 32);
}

// Completes the last byte and adds the readers' padding; returns the end.
static inline uint8_t *bits_end(struct bits *b) {
    if (b->n) *b->to++ = (uint8_t)b->held;
    memset(b->to, 0, BITS_PADDING);
    return b->to + BITS_PADDING;
}

// The number of up to 57 bits that starts at a bit.
static inline uint64_t bits_get(const uint8_t *from, uint64_t at, unsigned width) {
    return bits_word(from + (at >> 3)) >> (at & 7) & bits_mask(width);
}

static inline uint64_t bits_get_wide(const uint8_t *from, uint64_t at, unsigned width) {
    if (width <= 32) return bits_get(from, at, width);
    return bits_get(from, at, 32) | bits_get(from, at + 32, width - 32) << 32;
}

// How many bits a number needs; 0 for 0.
static inline unsigned bits_width(uint64_t v) { return v ? 64 - (unsigned)__builtin_clzll(v) : 0; }

#endif
