// SPDX-License-Identifier: MIT
// From a board to the weights that its value is the sum of. For HOT files.
#ifndef NTUPLE_LOOKUP_H
#define NTUPLE_LOOKUP_H

#include "game/kernel.h"
#include "ntuple/half.h"
#include "ntuple/layout.h"

enum { MOST_FEATURES = MOST_TABLES * 8 };

// Where the weights of a stage stand, for all features; feature by feature.
static inline void lookup_slowly(const struct layout *l, struct board board, uint32_t from,
                                 uint32_t *index) {
    unsigned each = l->features / l->splits;
    for (unsigned f = 0; f < l->features; f++) {
        const struct placing *p = &l->feature[f];
        const struct digits *d = &l->digits[f / each];
        uint32_t sum = 0;
        for (unsigned i = p->n; i-- > 0;) sum = sum * d->values + d->digit[board_cell(board, p->cell[i])];
        index[f] = from + p->base + layout_fold(p->scale * sum, p->fold);
    }
}

#ifdef __AVX2__
// The stage by the flags of all cells, which are bytes here.
static inline unsigned lookup_stage(const struct layout *l, struct board board, __m128i cells) {
    if (l->stages == 1) return 0;
    if (__builtin_expect(board.hi != 0, 0)) return layout_stage(l, board);
    __m128i x = _mm_shuffle_epi8(_mm_loadu_si128((const void *)l->flag), cells);
    x = _mm_or_si128(x, _mm_unpackhi_epi64(x, x));
    x = _mm_or_si128(x, _mm_srli_epi64(x, 32));
    x = _mm_or_si128(x, _mm_srli_epi64(x, 16));
    x = _mm_or_si128(x, _mm_srli_epi64(x, 8));
    return l->stage_of[_mm_extract_epi8(x, 0)];
}

static inline void lookup_place(const struct block *b, __m256i number, __m256i from, uint32_t *index) {
    number = _mm256_sllv_epi32(number, _mm256_load_si256((const void *)b->shift));
    __m256i upper = _mm256_and_si256(_mm256_srli_epi32(number, FOLD),
                                     _mm256_load_si256((const void *)b->fold));
    __m256i base = _mm256_add_epi32(from, _mm256_load_si256((const void *)b->base));
    _mm256_store_si256((void *)index, _mm256_add_epi32(_mm256_xor_si256(number, upper), base));
}

// With sixteen values a cell is four bits of the number: no products.
static inline void lookup_nibbles(const struct layout *l, __m256i cells, __m256i from, uint32_t *index) {
    const __m256i places = _mm256_set1_epi16(1 | 16 << 8);
    for (const struct block *b = l->block, *end = b + l->blocks; b < end; b++, index += BLOCK) {
        __m256i low = _mm256_shuffle_epi8(cells, _mm256_load_si256((const void *)b->pick[0]));
        __m256i high = _mm256_shuffle_epi8(cells, _mm256_load_si256((const void *)b->pick[1]));
        __m256i number = _mm256_packus_epi16(_mm256_maddubs_epi16(low, places),
                                             _mm256_maddubs_epi16(high, places));
        lookup_place(b, number, from, index);
    }
}

// What a split makes of the cells.
static inline __m256i lookup_digits(const struct digits *d, __m256i cells) {
    __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)d->digit));
    __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(d->digit + 16)));
    __m256i large = _mm256_cmpgt_epi8(cells, _mm256_set1_epi8(15));
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, cells), _mm256_shuffle_epi8(high, cells), large);
}

static inline __m256i lookup_group(const struct block *b, unsigned group, __m256i cells, __m256i ones,
                                   __m256i squares) {
    __m256i four = _mm256_shuffle_epi8(cells, _mm256_load_si256((const void *)b->pick[group]));
    return _mm256_madd_epi16(_mm256_maddubs_epi16(four, ones), squares);
}

// The blocks of one split, from *b on.
static inline uint32_t *lookup_split(const struct digits *d, unsigned groups, const struct block *b,
                                     unsigned blocks, __m256i cells, __m256i from, uint32_t *index) {
    uint32_t c = d->values, fourth = c * c * c * c;
    __m256i ones = _mm256_set1_epi16((short)(1 | c << 8));
    __m256i squares = _mm256_set1_epi32((int)(1 | c * c << 16));
    __m256i four = _mm256_set1_epi32((int)fourth), eight = _mm256_set1_epi32((int)(fourth * fourth));
    for (const struct block *end = b + blocks; b < end; b++, index += BLOCK) {
        __m256i number = lookup_group(b, 0, cells, ones, squares);
        if (groups > 1) {
            __m256i second = lookup_group(b, 1, cells, ones, squares);
            number = _mm256_add_epi32(number, _mm256_mullo_epi32(second, four));
        }
        if (groups > 2) {
            __m256i third = lookup_group(b, 2, cells, ones, squares);
            number = _mm256_add_epi32(number, _mm256_mullo_epi32(third, eight));
        }
        lookup_place(b, number, from, index);
    }
    return index;
}

// Where the weights stand, for all features; index has room for whole blocks
// and is aligned to 32 bytes. Returns the stage.
static inline unsigned lookup_all(const struct layout *l, struct board board, uint32_t *index) {
    __m128i cells = slide16_cells(board);
    unsigned stage = lookup_stage(l, board, cells);
    uint32_t first = stage * (uint32_t)l->stage_weights;
    __m256i from = _mm256_set1_epi32((int)first);
    if (l->nibbles) {
        cells = _mm_min_epu8(cells, _mm_set1_epi8(15));
        lookup_nibbles(l, _mm256_broadcastsi128_si256(cells), from, index);
    } else if (l->mixed) {
        lookup_slowly(l, board, first, index);
    } else {
        __m256i both = _mm256_broadcastsi128_si256(cells);
        unsigned groups = l->groups, splits = l->splits, blocks = l->blocks / splits;
        // What is stored might be the layout, as far as a compiler can tell.
        for (unsigned s = 0; s < splits; s++)
            index = lookup_split(&l->digits[s], groups, &l->block[s * blocks], blocks,
                                 lookup_digits(&l->digits[s], both), from, index);
    }
    return stage;
}
#else
static inline unsigned lookup_all(const struct layout *l, struct board board, uint32_t *index) {
    unsigned stage = layout_stage(l, board);
    lookup_slowly(l, board, stage * (uint32_t)l->stage_weights, index);
    return stage;
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

// A weight's first half; one that a stage has not used yet is the one of the
// stage before.
static inline uint16_t lookup_promoted(const struct layout *l, const uint16_t *v, uint32_t at,
                                       unsigned stage) {
    uint16_t h = v[at];
    for (; h == HALF_UNUSED && stage; stage--) h = v[at -= (uint32_t)l->stage_weights];
    return h;
}

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

static inline int lookup_any_unused(__m128i x) {
    return _mm_movemask_epi8(_mm_cmpeq_epi16(x, _mm_set1_epi16((short)HALF_UNUSED))) != 0;
}

static inline __m128i lookup_eight_promoted(const struct layout *l, const uint16_t *v,
                                            const uint32_t *index, unsigned n, unsigned stage) {
    _Alignas(16) uint16_t x[BLOCK] = {0};
    for (unsigned i = 0; i < n; i++) x[i] = lookup_promoted(l, v, index[i], stage);
    return _mm_load_si128((const void *)x);
}

static inline float lookup_total(__m256 sum) {
    __m256 pairs = _mm256_hadd_ps(sum, sum);
    __m256 fours = _mm256_hadd_ps(pairs, pairs);
    return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(fours), _mm256_extractf128_ps(fours, 1)));
}

static inline float lookup_sum(const struct layout *l, const uint16_t *v, const uint32_t *index,
                               unsigned stage) {
    __m256 sum = _mm256_setzero_ps();
    unsigned whole = l->features / BLOCK, left = l->features % BLOCK;
    for (unsigned i = 0; i < whole; i++, index += BLOCK) {
        __m128i x = lookup_eight(v, index);
        if (stage && lookup_any_unused(x)) x = lookup_eight_promoted(l, v, index, BLOCK, stage);
        sum = _mm256_add_ps(sum, _mm256_cvtph_ps(x));
    }
    if (left)
        sum = _mm256_add_ps(sum, _mm256_cvtph_ps(lookup_eight_promoted(l, v, index, left, stage)));
    return lookup_total(sum);
}
#else
static inline float lookup_sum(const struct layout *l, const uint16_t *v, const uint32_t *index,
                               unsigned stage) {
    float sum[BLOCK] = {0};
    for (unsigned f = 0; f < l->features; f++)
        sum[f % BLOCK] += half_read(lookup_promoted(l, v, index[f], stage));
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}
#endif

#endif
