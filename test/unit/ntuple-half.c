// SPDX-License-Identifier: MIT
// Weights in two halves, by the portable code and by the machine's instructions:
// the header is included once for each.
#include "check.h"
#include "game/rng.h"
#include "util/cpu.h"

#ifdef WITH_V3
#include <immintrin.h>
#endif
#pragma push_macro("__F16C__")
#undef __F16C__
#include "ntuple/half.h"
#pragma pop_macro("__F16C__")

#ifdef WITH_V3
#undef NTUPLE_HALF_H
#define half_float_of_bits fast_float_of_bits
#define half_bits_of_float fast_bits_of_float
#define half_read fast_read
#define half_write fast_write
#define half_unit fast_unit
#define half_join fast_join
#define half_split fast_split
#define half_unit_8 fast_unit_8
#define half_join_8 fast_join_8
#define half_split_8 fast_split_8
#ifdef __clang__
#pragma push_macro("__F16C__")
#undef __F16C__
#define __F16C__ 1
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#include "ntuple/half.h"
#else
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#include "ntuple/half.h"
#endif

// Eight from arrays to arrays.
static void fast_join_array(const uint16_t *first, const int16_t *second, float *to) {
    _mm256_storeu_ps(to, fast_join_8(_mm_loadu_si128((const void *)first),
                                     _mm_loadu_si128((const void *)second)));
}

static void fast_split_array(const float *x, uint16_t *first, int16_t *second) {
    __m128i rest;
    _mm_storeu_si128((void *)first, fast_split_8(_mm256_loadu_ps(x), &rest));
    _mm_storeu_si128((void *)second, rest);
}

#ifdef __clang__
#pragma clang attribute pop
#pragma pop_macro("__F16C__")
#else
#pragma GCC pop_options
#endif
#undef half_float_of_bits
#undef half_bits_of_float
#undef half_read
#undef half_write
#undef half_unit
#undef half_join
#undef half_split
#undef half_unit_8
#undef half_join_8
#undef half_split_8

static int fast(void) {
    static int known = -1;
    if (known < 0) known = cpu_best() == CPU_V3;
    return known;
}
#endif

static int same(float a, float b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// By the definition of binary16.
static double define_read(unsigned h) {
    int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
    double a = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
               : exponent     ? ldexp(1024 + fraction, exponent - 25)
                              : ldexp(fraction, -24);
    return h >> 15 ? -a : a;
}

// The nearest of all finite halves, an even one if two are; beyond the middle
// between the largest and the next that there would be, infinity.
static unsigned define_write(double x) {
    unsigned sign = signbit(x) ? 0x8000 : 0, low = 0, high = 0x7c00;
    x = fabs(x);
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (define_read(middle) <= x)
            low = middle;
        else
            high = middle;
    }
    double above = high == 0x7c00 ? 65536 : define_read(high), below = define_read(low);
    unsigned nearest = x - below < above - x ? low : x - below > above - x ? high : low & 1 ? high : low;
    return sign | nearest;
}

static void reads(void) {
    for (unsigned h = 0; h < 65536; h++) {
        float want = (float)define_read(h);
        CHECK(same(half_read((uint16_t)h), want), "%04x is %g", h, (double)half_read((uint16_t)h));
#ifdef WITH_V3
        if (fast()) CHECK(same(fast_read((uint16_t)h), want), "%04x is %g", h, (double)fast_read((uint16_t)h));
#endif
    }
}

static void write_one(float x) {
    unsigned want = define_write((double)x), got = half_write(x);
    CHECK(got == want, "%a became %04x, not %04x", (double)x, got, want);
#ifdef WITH_V3
    if (fast()) CHECK(fast_write(x) == want, "%a became %04x, not %04x", (double)x, fast_write(x), want);
#endif
}

// A random float below the given power of two.
static float random_float(struct rng *r, int top) {
    uint64_t x = rng_next(r);
    float f = ldexpf(1 + (float)(x >> 41) * 0x1p-23f, top - 1 - (int)(x & 0xff) % 44);
    return x >> 8 & 1 ? -f : f;
}

static void writes(void) {
    struct rng r = rng_stream(1, 0);
    for (unsigned h = 0; h < 0x7c00; h++) {
        // Each half, the middle to the next, and the floats around both.
        float f = (float)define_read(h), next = h == 0x7bff ? 65536 : (float)define_read(h + 1);
        float middle = f + (next - f) / 2;
        for (int sign = -1; sign <= 1; sign += 2) {
            float s = (float)sign;
            write_one(s * f);
            write_one(s * middle);
            write_one(s * nextafterf(f, INFINITY));
            write_one(s * nextafterf(middle, 0));
            write_one(s * nextafterf(middle, INFINITY));
        }
    }
    for (unsigned i = 0; i < 1000000; i++) write_one(random_float(&r, 17));
    CHECK(half_write(INFINITY) == 0x7c00 && half_write(-INFINITY) == 0xfc00, "infinity");
    CHECK((half_write(NAN) & 0x7fff) > 0x7c00, "not a number became %04x", half_write(NAN));
    CHECK(half_write(1e30f) == 0x7c00, "1e30 became %04x", half_write(1e30f));
}

// Both halves together, and the same bits from eight at a time.
static void check_eight(const float *x) {
    uint16_t first[8];
    int16_t second[8];
    float back[8];
    for (unsigned i = 0; i < 8; i++) {
        half_split(x[i], &first[i], &second[i]);
        back[i] = half_join(first[i], second[i]);
        // Minus zero is left to weights that were never used.
        unsigned want = define_write((double)x[i]);
        CHECK(first[i] == (want == 0x8000 ? 0 : want), "%a: first half %04x", (double)x[i], first[i]);
        if (fabsf(x[i]) >= 0x1p-14f)
            CHECK(same(back[i], x[i]), "%a became %a", (double)x[i], (double)back[i]);
        else
            CHECK(fabsf(back[i] - x[i]) <= 0x1p-40f, "%a became %a", (double)x[i], (double)back[i]);
    }
#ifdef WITH_V3
    if (!fast()) return;
    uint16_t first8[8];
    int16_t second8[8];
    float back8[8];
    fast_split_array(x, first8, second8);
    fast_join_array(first8, second8, back8);
    for (unsigned i = 0; i < 8; i++) {
        uint16_t f;
        int16_t s;
        fast_split(x[i], &f, &s);
        CHECK(f == first[i] && s == second[i], "%a: %04x %d, fast %04x %d", (double)x[i], first[i],
              second[i], f, s);
        CHECK(first8[i] == first[i] && second8[i] == second[i], "%a: %04x %d, eight %04x %d",
              (double)x[i], first[i], second[i], first8[i], second8[i]);
        CHECK(same(back8[i], back[i]) && same(fast_join(f, s), back[i]), "%a: %a, eight %a",
              (double)x[i], (double)back[i], (double)back8[i]);
    }
#endif
}

static void halves(void) {
    struct rng r = rng_stream(2, 0);
    float x[8] = {0, -0.0f, 65504, -65504, 0x1p-14f, 0x1p-24f, 0x1p-25f, -0x1.8p-39f};
    check_eight(x);
    for (unsigned i = 0; i < 300000; i++) {
        for (unsigned k = 0; k < 8; k++) x[k] = random_float(&r, 16);
        for (unsigned k = 0; k < 8; k++) // 65520 and more would be infinite
            if (fabsf(x[k]) >= 65504) x[k] /= 2;
        check_eight(x);
    }
}

// What is too large becomes the largest.
static void bounds(void) {
    float x[8] = {65504, 65505, 65519, 65520, 1e9f, INFINITY, 1, 0}, y[8];
    for (unsigned i = 0; i < 8; i++) y[i] = -x[i];
    for (unsigned i = 0; i < 6; i++) {
        uint16_t first[2];
        int16_t second[2];
        half_split(x[i], &first[0], &second[0]);
        half_split(y[i], &first[1], &second[1]);
        CHECK(half_join(first[0], second[0]) == 65504 && half_join(first[1], second[1]) == -65504, "%a",
              (double)x[i]);
    }
#ifdef WITH_V3
    if (!fast()) return;
    uint16_t first8[8];
    int16_t second8[8];
    float back8[8];
    for (unsigned sign = 0; sign < 2; sign++) {
        fast_split_array(sign ? y : x, first8, second8);
        fast_join_array(first8, second8, back8);
        for (unsigned i = 0; i < 6; i++)
            CHECK(back8[i] == (sign ? -65504 : 65504), "%a: eight at a time", (double)x[i]);
    }
#endif
}

// What steps of learning rely on: 2^-25 of the first half's place value, for
// all pairs that there may be.
static void places(void) {
    for (unsigned h = 0; h < 0x7c00; h += 13)
        for (int s = -16384; s <= 16384; s += 331) {
            double f = define_read(h), unit = f < 0x1p-14 ? 0x1p-14 : exp2(floor(log2(f)));
            double want = f + s * unit * 0x1p-25, got = (double)half_join((uint16_t)h, (int16_t)s);
            CHECK(fabs(got - want) <= fabs(want) * 0x1p-24, "%04x %d is %a, not %a", h, s, got, want);
            CHECK(half_join((uint16_t)(h | 0x8000), (int16_t)-s) == -half_join((uint16_t)h, (int16_t)s),
                  "%04x %d is not minus its negative", h, s);
        }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"reads", reads},
                                              {"writes", writes},
                                              {"halves", halves}, {"bounds", bounds},
                                              {"places", places},
                                              {NULL, NULL}};
    return check_main(cases, argc, argv);
}
