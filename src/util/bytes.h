// SPDX-License-Identifier: MIT
// Little-endian numbers in byte arrays, on any machine.
#ifndef UTIL_BYTES_H
#define UTIL_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void put_u16(uint8_t *p, uint16_t v) {
    for (int i = 0; i < 2; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void put_u32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void put_u64(uint8_t *p, uint64_t v) {
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void put_f64(uint8_t *p, double v) {
    uint64_t bits;
    memcpy(&bits, &v, 8);
    put_u64(p, bits);
}

static inline uint16_t get_u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }

static inline uint32_t get_u32(const uint8_t *p) {
    return get_u16(p) | (uint32_t)get_u16(p + 2) << 16;
}

static inline uint64_t get_u64(const uint8_t *p) {
    return get_u32(p) | (uint64_t)get_u32(p + 4) << 32;
}

static inline double get_f64(const uint8_t *p) {
    uint64_t bits = get_u64(p);
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

#endif
