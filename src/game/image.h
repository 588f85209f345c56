// SPDX-License-Identifier: MIT
// Symmetric images of packed boards by shifts and masks.
#ifndef GAME_IMAGE_H
#define GAME_IMAGE_H

#include "game/board.h"

// The cells in reverse order: a half turn.
static inline uint64_t image_turn(const struct shape *s, uint64_t x) {
    x = __builtin_bswap64(x);
    x = (x & 0x0f0f0f0f0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0fu);
    return x >> (64 - 4 * s->cells);
}

// The rows in reverse order.
static inline uint64_t image_flip(const struct shape *s, uint64_t x) {
    unsigned d = s->stride[1];
    if (s->rows == 4 && s->cols == 4) {
        x = x >> 32 | x << 32;
        return (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
    }
    uint64_t y = 0;
    for (unsigned r = 0; r < s->rows; r++)
        y |= (x & s->line[0][r]) >> d * r << d * (s->rows - 1 - r);
    return y;
}

// Rows and columns exchanged; squares only.
static inline uint64_t image_transpose(const struct shape *s, uint64_t x) {
    if (s->rows == 4) {
        uint64_t t = (x ^ x >> 12) & 0x0000f0f00000f0f0u;
        x ^= t ^ t << 12;
        t = (x ^ x >> 24) & 0x00000000ff00ff00u;
        return x ^ t ^ t << 24;
    }
    // Swap cell (r, c) with (c, r) for c - r = 1, 2: both lie the same
    // distance apart for all r.
    for (unsigned d = 1; d < s->rows; d++) {
        uint64_t mask = 0;
        for (unsigned r = 0; r + d < s->rows; r++) mask |= (uint64_t)15 << 4 * (r * s->cols + r + d);
        unsigned far = 4 * d * (s->cols - 1);
        uint64_t t = (x ^ x >> far) & mask;
        x ^= t ^ t << far;
    }
    return x;
}

// All s->symmetries different images. The order is that of s->symmetry only
// in that the first is x itself.
static inline void image_all(const struct shape *s, uint64_t x, uint64_t image[8]) {
    image[0] = x;
    image[1] = image_turn(s, x);
    if (s->symmetries < 4) return; // a single line: turning it is all there is
    image[2] = image_flip(s, x);
    image[3] = image_turn(s, image[2]);
    if (s->symmetries < 8) return;
    for (unsigned k = 0; k < 4; k++) image[4 + k] = image_transpose(s, image[k]);
}

#endif
