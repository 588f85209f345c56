// SPDX-License-Identifier: MIT
// From a board to the weights that its value is the sum of. For HOT files.
#ifndef NTUPLE_LOOKUP_H
#define NTUPLE_LOOKUP_H

#include "game/kernel.h"
#include "ntuple/half.h"
#include "ntuple/layout.h"

enum { MOST_FEATURES = MOST_TUPLES * 8 };

#ifdef __AVX2__
// The cells as bytes, each at most the last value, in both halves.
static inline __m256i lookup_cells(const struct layout *l, struct board b) {
    __m128i cells = slide16_cells(b);
    cells = _mm_min_epu8(cells, _mm_set1_epi8((char)(l->values - 1)));
    return _mm256_broadcastsi128_si256(cells);
}

static inline __m256i lookup_part(const struct block *b, unsigned part, __m256i cells, __m256i ones,
                                  __m256i squares) {
    __m256i sum[2];
    for (unsigned i = 0; i < 2; i++) {
        __m256i pick = _mm256_load_si256((const void *)b->pick[part][i]);
        __m256i pairs = _mm256_maddubs_epi16(_mm256_shuffle_epi8(cells, pick), ones);
        sum[i] = _mm256_mullo_epi32(_mm256_madd_epi16(pairs, squares),
                                    _mm256_load_si256((const void *)b->scale[part][i]));
    }
    return _mm256_hadd_epi32(sum[0], sum[1]);
}

static inline void lookup_place(const struct block *b, __m256i number, uint32_t *index) {
    __m256i upper = _mm256_and_si256(_mm256_srli_epi32(number, FOLD),
                                     _mm256_load_si256((const void *)b->fold));
    __m256i at = _mm256_add_epi32(_mm256_xor_si256(number, upper),
                                  _mm256_load_si256((const void *)b->base));
    _mm256_store_si256((void *)index, at);
}

// With sixteen values a cell is four bits of the number: no products.
static inline void lookup_nibbles(const struct layout *l, __m256i cells, uint32_t *index) {
    const __m256i places = _mm256_set1_epi16(1 | 16 << 8);
    for (const struct block *b = l->block, *end = b + l->blocks; b < end; b++, index += BLOCK) {
        __m256i low = _mm256_shuffle_epi8(cells, _mm256_load_si256((const void *)b->pick[0][0]));
        __m256i high = _mm256_shuffle_epi8(cells, _mm256_load_si256((const void *)b->pick[0][1]));
        __m256i number = _mm256_packus_epi16(_mm256_maddubs_epi16(low, places),
                                             _mm256_maddubs_epi16(high, places));
        number = _mm256_sllv_epi32(number, _mm256_load_si256((const void *)b->shift));
        lookup_place(b, number, index);
    }
}

// Where the weights stand, for all features; index has room for whole blocks
// and is aligned to 32 bytes.
static inline void lookup_all(const struct layout *l, struct board board, uint32_t *index) {
    __m256i cells = lookup_cells(l, board);
    if (l->nibbles) {
        lookup_nibbles(l, cells, index);
        return;
    }
    short c = (short)l->values;
    __m256i ones = _mm256_set1_epi16((short)(1 | c << 8));
    __m256i squares = _mm256_set1_epi32(1 | c * c << 16);
    // What is stored might be the layout, as far as a compiler can tell.
    unsigned blocks = l->blocks, parts = l->parts;
    for (unsigned i = 0; i < blocks; i++) {
        const struct block *b = &l->block[i];
        __m256i number = lookup_part(b, 0, cells, ones, squares);
        if (parts > 1) number = _mm256_add_epi32(number, lookup_part(b, 1, cells, ones, squares));
        lookup_place(b, number, index + BLOCK * i);
    }
}
#else
static inline void lookup_all(const struct layout *l, struct board board, uint32_t *index) {
    unsigned c = l->values;
    uint32_t cell[MOST_CELLS];
    for (unsigned i = 0; i < l->shape.cells; i++) {
        unsigned e = board_cell(board, i);
        cell[i] = e < c ? e : c - 1;
    }
    for (unsigned f = 0; f < l->features; f++) {
        const struct placing *p = &l->feature[f];
        uint32_t sum = 0;
        for (unsigned i = p->n; i-- > 0;) sum = sum * c + cell[p->cell[i]];
        index[f] = p->base + layout_fold(p->scale * sum, p->fold);
    }
}
#endif

// Asks for the cache lines at eight indices; write tells that they will change.
#define LOOKUP_PREFETCH_EIGHT(array, index, write)                                                 \
    do {                                                                                           \
        __builtin_prefetch((array) + (index)[0], write);                                           \
        __builtin_prefetch((array) + (index)[1], write);                                           \
        __builtin_prefetch((array) + (index)[2], write);                                           \
        __builtin_prefetch((array) + (index)[3], write);                                           \
        __builtin_prefetch((array) + (index)[4], write);                                           \
        __builtin_prefetch((array) + (index)[5], write);                                           \
        __builtin_prefetch((array) + (index)[6], write);                                           \
        __builtin_prefetch((array) + (index)[7], write);                                           \
    } while (0)

// The value divided by the scale: eight sums over every eighth feature, then
// those in pairs. The order is fixed, so every variant gives the same bits.
#ifdef __F16C__
static inline __m128i lookup_eight(const uint16_t *v, const uint32_t *index) {
    __m128i x = _mm_cvtsi32_si128(v[index[0]]);
    x = _mm_insert_epi16(x, v[index[1]], 1);
    x = _mm_insert_epi16(x, v[index[2]], 2);
    x = _mm_insert_epi16(x, v[index[3]], 3);
    x = _mm_insert_epi16(x, v[index[4]], 4);
    x = _mm_insert_epi16(x, v[index[5]], 5);
    x = _mm_insert_epi16(x, v[index[6]], 6);
    return _mm_insert_epi16(x, v[index[7]], 7);
}

static inline float lookup_total(__m256 sum) {
    __m256 pairs = _mm256_hadd_ps(sum, sum);
    __m256 fours = _mm256_hadd_ps(pairs, pairs);
    return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(fours), _mm256_extractf128_ps(fours, 1)));
}

static inline float lookup_sum(const struct layout *l, const uint16_t *v, const uint32_t *index) {
    __m256 sum = _mm256_setzero_ps();
    unsigned whole = l->features / BLOCK;
    for (unsigned i = 0; i < whole; i++, index += BLOCK)
        sum = _mm256_add_ps(sum, _mm256_cvtph_ps(lookup_eight(v, index)));
    if (l->features % BLOCK) {
        _Alignas(16) uint16_t rest[BLOCK] = {0};
        for (unsigned i = 0; i < l->features % BLOCK; i++) rest[i] = v[index[i]];
        sum = _mm256_add_ps(sum, _mm256_cvtph_ps(_mm_load_si128((const void *)rest)));
    }
    return lookup_total(sum);
}
#else
static inline float lookup_sum(const struct layout *l, const uint16_t *v, const uint32_t *index) {
    float sum[BLOCK] = {0};
    for (unsigned f = 0; f < l->features; f++) sum[f % BLOCK] += half_read(v[index[f]]);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}
#endif

#endif
