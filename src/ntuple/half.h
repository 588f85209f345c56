// SPDX-License-Identifier: MIT
// A weight in two halves: what players read, and what is left for learners.
//
// The first half is an IEEE half-precision number (binary16), the nearest to
// the weight divided by the file's scale. The second is a signed fraction of
// the first one's place value, so that both together have 26 bits of
// precision, more than a float. Play touches half as much memory this way,
// and memory is what it waits for.
#ifndef NTUPLE_HALF_H
#define NTUPLE_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __F16C__
#include <immintrin.h>
#endif

static inline float half_float_of_bits(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t half_bits_of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline float half_read(uint16_t h) {
#ifdef __F16C__
    return _cvtsh_ss(h);
#else
    // A float with the same fields, its exponent corrected by a product, which
    // also makes subnormal numbers right.
    float f = half_float_of_bits((uint32_t)(h & 0x7fff) << 13) * 0x1p112f;
    if (f >= 65536.0f) f = half_float_of_bits(half_bits_of_float(f) | 0x7f800000u);
    return h >> 15 ? -f : f;
#endif
}

// To the nearest, ties to even; too large becomes infinite.
static inline uint16_t half_write(float x) {
#ifdef __F16C__
    return (uint16_t)_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
#else
    uint32_t bits = half_bits_of_float(x), sign = bits >> 16 & 0x8000;
    float a = half_float_of_bits(bits & 0x7fffffff);
    if (!(a < 65520.0f)) return (uint16_t)(sign | (a != a ? 0x7e00 : 0x7c00));
    if (a < 0x1p-14f) // the sum's last place is that of subnormal halves
        return (uint16_t)(sign | (half_bits_of_float(a + 0.5f) - half_bits_of_float(0.5f)));
    uint32_t m = half_bits_of_float(a);
    m += 0xfff + (m >> 13 & 1);
    return (uint16_t)(sign | ((m >> 13) - (112 << 10)));
#endif
}

// The place value that the second half is a fraction of.
static inline float half_unit(float first) {
    float power = half_float_of_bits(half_bits_of_float(first) & 0x7f800000u);
    return power > 0x1p-14f ? power : 0x1p-14f;
}

// The weight divided by the scale.
static inline float half_join(uint16_t first, int16_t second) {
    float f = half_read(first);
    return f + (float)second * (half_unit(f) * 0x1p-25f);
}

// Minus zero: no weight that was ever learned. Where a network has stages, it
// stands for the weight of the stage before.
#define HALF_UNUSED 0x8000

#define HALF_MOST 65504.0f // the largest binary16 number

// Larger numbers become the largest, not infinite.
static inline void half_split(float x, uint16_t *first, int16_t *second) {
    x = x > HALF_MOST ? HALF_MOST : x < -HALF_MOST ? -HALF_MOST : x;
    *first = half_write(x);
    if (*first == HALF_UNUSED) *first = 0; // the second half has the sign, too
    float f = half_read(*first);
    // The unit is a power of two: its reciprocal is exact.
    *second = (int16_t)lrintf((x - f) * (0x1p25f / half_unit(f)));
}

#ifdef __F16C__
// The same for eight weights.
static inline __m256 half_unit_8(__m256 first) {
    __m256 power = _mm256_and_ps(first, _mm256_castsi256_ps(_mm256_set1_epi32(0x7f800000)));
    return _mm256_max_ps(power, _mm256_set1_ps(0x1p-14f));
}

static inline __m256 half_join_8(__m128i first, __m128i second) {
    __m256 f = _mm256_cvtph_ps(first);
    __m256 part = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(second));
    __m256 unit = _mm256_mul_ps(half_unit_8(f), _mm256_set1_ps(0x1p-25f));
    return _mm256_add_ps(f, _mm256_mul_ps(part, unit));
}

static inline __m128i half_split_8(__m256 x, __m128i *second) {
    x = _mm256_max_ps(_mm256_set1_ps(-HALF_MOST), _mm256_min_ps(_mm256_set1_ps(HALF_MOST), x));
    __m128i first = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
    first = _mm_andnot_si128(_mm_cmpeq_epi16(first, _mm_set1_epi16((short)HALF_UNUSED)), first);
    __m256 f = _mm256_cvtph_ps(first);
    // 2^25 / unit for a power of two: the exponents' difference.
    const __m256i both = _mm256_set1_epi32((int)((127u + 25 + 127) << 23));
    __m256i inverse = _mm256_sub_epi32(both, _mm256_castps_si256(half_unit_8(f)));
    __m256 part = _mm256_mul_ps(_mm256_sub_ps(x, f), _mm256_castsi256_ps(inverse));
    __m256i whole = _mm256_cvtps_epi32(part);
    *second = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    return first;
}
#endif

#endif
