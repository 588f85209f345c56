// SPDX-License-Identifier: MIT
// All four slides of a 4x4 board at once, in vector registers.
//
// Tables of lines are faster alone, but they fill half of a core's second
// cache, and a player that reads weights needs that for them.
#ifndef GAME_SLIDE16_H
#define GAME_SLIDE16_H

#include "game/board.h"

#ifdef __AVX2__
#include <immintrin.h>

// The cells of a board as bytes.
static inline __m128i slide16_cells(struct board b) {
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i x = _mm_cvtsi64_si128((long long)b.lo);
    __m128i cells = _mm_unpacklo_epi8(_mm_and_si128(x, nibble),
                                      _mm_and_si128(_mm_srli_epi64(x, 4), nibble));
    if (__builtin_expect(b.hi != 0, 0)) {
        x = _mm_cvtsi64_si128((long long)b.hi);
        __m128i high = _mm_unpacklo_epi8(_mm_and_si128(x, nibble),
                                         _mm_and_si128(_mm_srli_epi64(x, 4), nibble));
        cells = _mm_or_si128(cells, _mm_slli_epi16(high, 4));
    }
    return cells;
}

// A line is four bytes, towards its first. Where byte k of a line is 0, those
// behind it move up.
static inline __m256i slide16_close(__m256i x, unsigned k) {
    __m256i cell = _mm256_set1_epi32((int)(0xffu << 8 * k)), behind = _mm256_set1_epi32((int)(~0u << 8 * k));
    __m256i gap = _mm256_cmpeq_epi32(_mm256_and_si256(x, cell), _mm256_setzero_si256());
    return _mm256_blendv_epi8(x, _mm256_srli_epi32(x, 8), _mm256_and_si256(gap, behind));
}

// Slides eight lines; *reward has what each one scores.
static inline __m256i slide16_lines(__m256i x, __m256i *reward) {
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(1), even = _mm256_set1_epi32(-2);
    x = slide16_close(slide16_close(slide16_close(x, 2), 1), 0);
    __m256i equal = _mm256_andnot_si256(_mm256_cmpeq_epi8(x, zero),
                                        _mm256_cmpeq_epi8(x, _mm256_srli_epi32(x, 8)));
    // A tile merges once: the first pair of a line rules out the second, and
    // that, if it merges, the third.
    __m256i first = _mm256_slli_epi32(_mm256_and_si256(equal, _mm256_set1_epi32(0xff)), 8);
    equal = _mm256_andnot_si256(first, equal);
    __m256i second = _mm256_slli_epi32(_mm256_and_si256(equal, _mm256_set1_epi32(0xff00)), 8);
    equal = _mm256_andnot_si256(second, equal);
    x = _mm256_sub_epi8(x, equal);
    x = _mm256_andnot_si256(_mm256_slli_epi32(equal, 8), x);
    // At most two tiles of a line are new: the third cell's, and one before it.
    __m256i made = _mm256_and_si256(x, equal);
    __m256i front = _mm256_and_si256(_mm256_or_si256(made, _mm256_srli_epi32(made, 8)), _mm256_set1_epi32(0xff));
    __m256i back = _mm256_srli_epi32(made, 16);
    *reward = _mm256_add_epi32(_mm256_and_si256(_mm256_sllv_epi32(one, front), even),
                               _mm256_and_si256(_mm256_sllv_epi32(one, back), even));
    return slide16_close(slide16_close(x, 2), 1);
}

// Bytes to nibbles: a in the lower half of each lane, b in the upper.
static inline __m256i slide16_pack(__m256i a, __m256i b) {
    const __m256i places = _mm256_set1_epi16(1 | 16 << 8);
    return _mm256_packus_epi16(_mm256_maddubs_epi16(a, places), _mm256_maddubs_epi16(b, places));
}

static inline void slide16_store(uint64_t to[4], __m256i x) {
    // Each half holds both directions of an axis.
    _mm256_storeu_si256((void *)to, _mm256_permute4x64_epi64(x, 0xd8));
}

// As k_slide_all, for 4x4 boards.
static inline unsigned slide16_all(struct board b, struct board after[4], uint32_t reward[4]) {
    // Rows in the lower half, columns in the upper; and both backwards.
    const __m256i to = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                        0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m256i from = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12,
                                          12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3);
    const __m256i back = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12,
                                          3, 7, 11, 15, 2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12);
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i cells = _mm256_broadcastsi128_si256(slide16_cells(b)), low_reward, high_reward;
    __m256i low = slide16_lines(_mm256_shuffle_epi8(cells, to), &low_reward);
    __m256i high = slide16_lines(_mm256_shuffle_epi8(cells, from), &high_reward);
    low = _mm256_shuffle_epi8(low, to); // a transposition undoes itself
    high = _mm256_shuffle_epi8(high, back);
    __m256i sums = _mm256_hadd_epi32(low_reward, high_reward);
    sums = _mm256_hadd_epi32(sums, sums);
    uint64_t lo[4], hi[4] = {0};
    slide16_store(lo, slide16_pack(_mm256_and_si256(low, nibble), _mm256_and_si256(high, nibble)));
    __m256i large = _mm256_andnot_si256(nibble, _mm256_or_si256(low, high));
    if (__builtin_expect(!_mm256_testz_si256(large, large), 0)) {
        __m256i a = _mm256_srli_epi16(_mm256_andnot_si256(nibble, low), 4);
        __m256i c = _mm256_srli_epi16(_mm256_andnot_si256(nibble, high), 4);
        slide16_store(hi, slide16_pack(a, c));
    }
    __m128i rows = _mm256_castsi256_si128(sums), columns = _mm256_extracti128_si256(sums, 1);
    _mm_storeu_si128((void *)reward, _mm_unpacklo_epi32(rows, columns));
    unsigned legal = 0;
    for (unsigned m = 0; m < 4; m++) {
        after[m] = (struct board){lo[m], hi[m]};
        legal |= (unsigned)!board_equal(after[m], b) << m;
    }
    return legal;
}
#endif

#endif
