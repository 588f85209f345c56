// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
#include "solve/table.h"

#include "util/cpu.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { AHEAD = 24 }; // lookups between asking for a bucket and using it

// The slots of a bucket that hold a board, one bit each; board 0 finds free ones.
static inline unsigned match(const struct bucket *b, uint64_t board) {
#ifdef __AVX2__
    __m256i want = _mm256_set1_epi64x((long long)board);
    __m256i have = _mm256_load_si256((const __m256i *)b->board);
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(have, want)));
#else
    unsigned bits = 0;
    for (unsigned k = 0; k < BUCKET; k++) bits |= (unsigned)(b->board[k] == board) << k;
    return bits;
#endif
}

static inline double value_of(const struct table *t, uint64_t board) {
    for (uint64_t i = table_place(t, board);; i = i + 1 == t->n ? 0 : i + 1) {
        const struct bucket *b = &t->bucket[i];
        unsigned found = match(b, board);
        if (__builtin_expect(found != 0, 1)) return b->value[__builtin_ctz(found)];
        if (match(b, 0)) return -1;
    }
}

table_values_function CPU_NAME(table_values);

void CPU_NAME(table_values)(const struct table *t, const uint64_t *boards, size_t n,
                            double *values) {
    uint64_t low = t->low, span = t->high - t->low;
    for (size_t i = 0; i < n && i < AHEAD; i++)
        __builtin_prefetch(&t->bucket[table_place(t, boards[i])]);
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) __builtin_prefetch(&t->bucket[table_place(t, boards[i + AHEAD])]);
        values[i] = boards[i] - low < span ? value_of(t, boards[i]) : -2;
    }
}
