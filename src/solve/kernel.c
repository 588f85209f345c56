// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
#include "game/kernel.h"

#include "solve/rules.h"
#include "util/cpu.h"

static inline uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static inline uint64_t turned(const struct rules *r, uint64_t x) {
    x = __builtin_bswap64(x);
    return ((x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4) >> r->turn;
}

static inline uint64_t rows_swapped(const struct rules *r, uint64_t x) {
    uint64_t y = x & r->row_still;
    for (unsigned k = 0; k < r->row_swaps; k++) {
        unsigned shift = r->row_swap[k].shift;
        y |= (x & r->row_swap[k].low) << shift | (x >> shift & r->row_swap[k].low);
    }
    return y;
}

static inline uint64_t transposed(const struct rules *r, uint64_t x) {
    uint64_t y = x & r->diagonal_still;
    for (unsigned d = 0; d < r->diagonals; d++) {
        unsigned shift = r->diagonal[d].shift;
        y |= (x & r->diagonal[d].low) << shift | (x >> shift & r->diagonal[d].low);
    }
    return y;
}

static inline uint64_t normal_one(const struct rules *r, uint64_t x) {
    uint64_t turn = turned(r, x), flip = rows_swapped(r, x), mirror = turned(r, flip);
    uint64_t best = least(least(x, turn), least(flip, mirror));
    if (r->diagonals) {
        best = least(best, least(transposed(r, x), transposed(r, turn)));
        best = least(best, least(transposed(r, flip), transposed(r, mirror)));
    }
    return best;
}

#ifdef __AVX2__
// Four boards at a time. All are below 2^56, so signed comparison serves.
static inline __m256i least4(__m256i a, __m256i b) {
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}

static inline __m256i swap4(__m256i x, uint64_t low, unsigned shift) {
    __m256i mask = _mm256_set1_epi64x((long long)low);
    __m128i by = _mm_cvtsi32_si128((int)shift);
    return _mm256_or_si256(_mm256_sll_epi64(_mm256_and_si256(x, mask), by),
                           _mm256_and_si256(_mm256_srl_epi64(x, by), mask));
}

static inline __m256i turned4(const struct rules *r, __m256i x) {
    const __m256i order = _mm256_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                          10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i low = _mm256_set1_epi8(15);
    x = _mm256_shuffle_epi8(x, order);
    x = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi64(x, 4), low),
                        _mm256_slli_epi64(_mm256_and_si256(x, low), 4));
    return _mm256_srl_epi64(x, _mm_cvtsi32_si128((int)r->turn));
}

static inline __m256i rows_swapped4(const struct rules *r, __m256i x) {
    __m256i y = _mm256_and_si256(x, _mm256_set1_epi64x((long long)r->row_still));
    for (unsigned k = 0; k < r->row_swaps; k++)
        y = _mm256_or_si256(y, swap4(x, r->row_swap[k].low, r->row_swap[k].shift));
    return y;
}

static inline __m256i transposed4(const struct rules *r, __m256i x) {
    __m256i y = _mm256_and_si256(x, _mm256_set1_epi64x((long long)r->diagonal_still));
    for (unsigned d = 0; d < r->diagonals; d++)
        y = _mm256_or_si256(y, swap4(x, r->diagonal[d].low, r->diagonal[d].shift));
    return y;
}

static inline __m256i normal4(const struct rules *r, __m256i x) {
    __m256i turn = turned4(r, x), flip = rows_swapped4(r, x), mirror = turned4(r, flip);
    __m256i best = least4(least4(x, turn), least4(flip, mirror));
    if (r->diagonals) {
        best = least4(best, least4(transposed4(r, x), transposed4(r, turn)));
        best = least4(best, least4(transposed4(r, flip), transposed4(r, mirror)));
    }
    return best;
}
#endif

static void normal(const struct rules *r, uint64_t *boards, size_t n) {
    size_t i = 0;
#ifdef __AVX2__
    for (; i + 4 <= n; i += 4) {
        __m256i *at = (__m256i *)(boards + i);
        _mm256_storeu_si256(at, normal4(r, _mm256_loadu_si256(at)));
    }
#endif
    for (; i < n; i++) boards[i] = normal_one(r, boards[i]);
}

static size_t spawn(const struct rules *r, const uint64_t *afterstates, size_t n, unsigned exponent,
                    uint64_t *states) {
    size_t made = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t empty = ~k_nonzero(afterstates[i]) & r->shape.all; empty; empty &= empty - 1)
            states[made++] = afterstates[i] | (empty & -empty) << (exponent - 1);
    return made;
}

// Both slides along an axis, from the table or cell by cell.
static inline uint32_t slide_axis(const struct rules *r, uint64_t x, unsigned axis, uint64_t *first,
                                  uint64_t *last) {
    const uint64_t *table = r->pair[axis];
    if (__builtin_expect(!table, 0)) {
        struct board a, b;
        uint32_t reward = board_slide_slowly(&r->shape, (struct board){x, 0}, axis ? UP : LEFT, &a);
        board_slide_slowly(&r->shape, (struct board){x, 0}, axis ? DOWN : RIGHT, &b);
        *first = a.lo;
        *last = b.lo;
        return reward;
    }
    uint64_t to_first = 0, to_last = 0, reward = 0;
    unsigned n = r->lines[axis];
    for (unsigned k = 0; k < n; k++) {
        uint64_t entry = table[k_gather(&r->shape, x, axis, k)];
        to_first |= k_scatter(&r->shape, (uint32_t)entry & 0xfffff, axis, k);
        to_last |= k_scatter(&r->shape, (uint32_t)(entry >> 20) & 0xfffff, axis, k);
        reward += entry >> 40;
    }
    *first = to_first;
    *last = to_last;
    return (uint32_t)reward * 4;
}

static size_t slide(const struct rules *r, const uint64_t *states, size_t n, uint64_t *afterstates,
                    uint64_t *terminal) {
    size_t made = 0, over = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = states[i], left, right, up, down;
        slide_axis(r, x, 0, &left, &right);
        slide_axis(r, x, 1, &up, &down);
        size_t before = made;
        // Illegal moves are overwritten by the next legal one: no branches.
        afterstates[made] = left;
        made += left != x;
        afterstates[made] = right;
        made += right != x;
        afterstates[made] = up;
        made += up != x;
        afterstates[made] = down;
        made += down != x;
        over += made == before;
    }
    normal(r, afterstates, made);
    *terminal += over;
    return made;
}

static size_t slide_rewards(const struct rules *r, const uint64_t *states, size_t n,
                            uint64_t *afterstates, uint32_t *rewards, uint8_t *moves) {
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = states[i], left, right, up, down;
        uint32_t along = slide_axis(r, x, 0, &left, &right);
        uint32_t across = slide_axis(r, x, 1, &up, &down);
        size_t before = made;
        afterstates[made] = left;
        rewards[made] = along;
        made += left != x;
        afterstates[made] = right;
        rewards[made] = along;
        made += right != x;
        afterstates[made] = up;
        rewards[made] = across;
        made += up != x;
        afterstates[made] = down;
        rewards[made] = across;
        made += down != x;
        moves[i] = (uint8_t)(made - before);
    }
    normal(r, afterstates, made);
    return made;
}

static uint64_t empty(const struct rules *r, const uint64_t *boards, size_t n, uint8_t *each) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned count = k_count(~k_nonzero(boards[i]) & r->shape.all);
        if (each) each[i] = (uint8_t)count;
        sum += count;
    }
    return sum;
}

const struct solve_kernel CPU_NAME(solve_kernel) = {normal, spawn, slide, slide_rewards, empty};
