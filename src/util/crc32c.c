// SPDX-License-Identifier: MIT
#include "util/crc32c.h"

#include <pthread.h>
#include <string.h>

#include "util/bytes.h"
#include "util/cpu.h"

static uint32_t table[8][256];
static uint32_t (*update)(uint32_t, const uint8_t *, size_t);
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Eight bytes a step: table[k] advances a byte over k further zero bytes.
static uint32_t update_plain(uint32_t crc, const uint8_t *p, size_t n) {
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t a = crc ^ get_u32(p);
        crc = table[7][a & 255] ^ table[6][a >> 8 & 255] ^ table[5][a >> 16 & 255] ^
              table[4][a >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
    }
    for (; n; n--, p++) crc = crc >> 8 ^ table[0][(crc ^ *p) & 255];
    return crc;
}

#ifdef WITH_V3
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t update_sse42(uint32_t crc, const uint8_t *p,
                                                               size_t n) {
    uint64_t wide = crc;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    for (; n; n--, p++) crc = _mm_crc32_u8(crc, *p);
    return crc;
}
#endif

static void choose(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0x82f63b78u : 0);
        table[0][i] = c;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++)
            table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 255];
    update = update_plain;
#ifdef WITH_V3
    if (cpu_has_crc()) update = update_sse42;
#endif
}

uint32_t crc32c(uint32_t crc, const void *data, size_t n) {
    pthread_once(&once, choose);
    return ~update(~crc, data, n);
}
