// SPDX-License-Identifier: MIT
#include "util/sha256.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "util/bytes.h"
#include "util/cpu.h"

static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void (*update)(uint32_t *, const uint8_t *, size_t);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static inline uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static inline uint32_t get_big(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void update_plain(uint32_t *state, const uint8_t *p, size_t blocks) {
    for (; blocks; blocks--, p += 64) {
        uint32_t w[64], s[8];
        for (int i = 0; i < 16; i++) w[i] = get_big(p + 4 * i);
        for (int i = 16; i < 64; i++) {
            uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
                   (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
        }
        memcpy(s, state, sizeof s);
        for (int i = 0; i < 64; i++) {
            uint32_t e = s[4], a = s[0];
            uint32_t t = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                         ((e & s[5]) ^ (~e & s[6])) + round_constant[i] + w[i];
            uint32_t u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                         ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t;
            s[0] = t + u;
        }
        for (int i = 0; i < 8; i++) state[i] += s[i];
    }
}

#ifdef WITH_V3
#include <cpuid.h>
#include <immintrin.h>

// Four rounds an index; the message words live in four registers that turn.
__attribute__((target("sha,sse4.1,ssse3"))) static void update_sha(uint32_t *state, const uint8_t *p,
                                                                   size_t blocks) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i low = _mm_loadu_si128((const __m128i *)state);
    __m128i high = _mm_loadu_si128((const __m128i *)(state + 4));
    // From a..d, e..h to the order that the instructions want.
    low = _mm_shuffle_epi32(low, 0xb1);
    high = _mm_shuffle_epi32(high, 0x1b);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
    for (; blocks; blocks--, p += 64) {
        __m128i m[4], before_ab = abef, before_cd = cdgh;
        for (int i = 0; i < 4; i++)
            m[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * i)), swap);
        for (int i = 0; i < 16; i++) {
            __m128i w = m[i & 3];
            __m128i k = _mm_loadu_si128((const __m128i *)(round_constant + 4 * i));
            __m128i sum = _mm_add_epi32(w, k);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
            if (i >= 12) continue;
            __m128i next = _mm_sha256msg1_epu32(w, m[(i + 1) & 3]);
            next = _mm_add_epi32(next, _mm_alignr_epi8(m[(i + 3) & 3], m[(i + 2) & 3], 4));
            m[i & 3] = _mm_sha256msg2_epu32(next, m[(i + 3) & 3]);
        }
        abef = _mm_add_epi32(abef, before_ab);
        cdgh = _mm_add_epi32(cdgh, before_cd);
    }
    low = _mm_shuffle_epi32(abef, 0x1b);
    high = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

static int has_sha(void) {
    unsigned a, b, c, d;
    return cpu_has_crc() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1;
}
#endif

static void choose(void) {
    update = update_plain;
#ifdef WITH_V3
    if (has_sha()) update = update_sha;
#endif
}

void sha256_init(struct sha256 *s) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    pthread_once(&once, choose);
    memcpy(s->state, start, sizeof start);
    s->n = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t n) {
    const uint8_t *p = data;
    size_t held = s->n % 64;
    s->n += n;
    if (held) {
        size_t take = 64 - held < n ? 64 - held : n;
        memcpy(s->block + held, p, take);
        p += take;
        n -= take;
        if (held + take < 64) return;
        update(s->state, s->block, 1);
    }
    update(s->state, p, n / 64);
    memcpy(s->block, p + n / 64 * 64, n % 64);
}

void sha256_text(struct sha256 *s, char to[SHA256_TEXT]) {
    uint8_t end[72] = {0x80};
    uint64_t bits = s->n * 8;
    size_t zeros = (119 - s->n % 64) % 64;
    for (int i = 0; i < 8; i++) end[1 + zeros + (size_t)i] = (uint8_t)(bits >> 8 * (7 - i));
    sha256_add(s, end, 9 + zeros);
    for (int i = 0; i < 8; i++) snprintf(to + 8 * i, 9, "%08x", s->state[i]);
}
