// SPDX-License-Identifier: MIT
#include "solve/table.h"

#include <string.h>
#include <sys/mman.h>

#include "util/cpu.h"
#include "util/fail.h"

enum { HUGE = 2 << 20 };

table_values_function *table_values_best(void) {
#ifdef WITH_V3
    if (cpu_best() == CPU_V3) return table_values_v3;
#endif
    return table_values_plain;
}

// At 2/3 full few boards miss their bucket; small tables can afford half.
static uint64_t buckets_for(uint64_t n) { return n / BUCKET + n / (n < 1 << 20 ? 4 : 8) + 2; }

int table_init(struct table *t, uint64_t n, struct table *spare) {
    uint64_t buckets = buckets_for(n);
    size_t size = (buckets * sizeof *t->bucket + HUGE - 1) / HUGE * HUGE;
    *t = (struct table){0};
    if (buckets >> 32) return fail("age too large: %lu afterstates", (unsigned long)n);
    if (spare && spare->mapped >= size && spare->mapped <= 8 * size) {
        *t = (struct table){spare->bucket, buckets, spare->mapped, 0, UINT64_MAX};
        *spare = (struct table){0};
        memset(t->bucket, 0, buckets * sizeof *t->bucket);
        return 0;
    }
    // Huge pages start at multiples of their size: map one more, cut the rest.
    uint8_t *p = mmap(NULL, size + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return fail_errno("memory");
    uint8_t *start = p + (HUGE - (uintptr_t)p % HUGE) % HUGE;
    if (start > p) munmap(p, (size_t)(start - p));
    if (start < p + HUGE) munmap(start + size, (size_t)(p + HUGE - start));
#ifdef MADV_HUGEPAGE
    madvise(start, size, MADV_HUGEPAGE);
#endif
    *t = (struct table){(struct bucket *)(void *)start, buckets, size, 0, UINT64_MAX};
    return 0;
}

void table_free(struct table *t) {
    if (t->bucket) munmap(t->bucket, t->mapped);
    *t = (struct table){0};
}

static void add_one(struct table *t, uint64_t board, double value) {
    for (uint64_t i = table_place(t, board);; i = i + 1 == t->n ? 0 : i + 1)
        for (int k = 0; k < BUCKET; k++) {
            uint64_t *slot = &t->bucket[i].board[k], empty = 0;
            if (__atomic_load_n(slot, __ATOMIC_RELAXED) ||
                !__atomic_compare_exchange_n(slot, &empty, board, 0, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED))
                continue;
            t->bucket[i].value[k] = value;
            return;
        }
}

void table_add(struct table *t, const uint64_t *boards, const double *values, size_t n) {
    enum { AHEAD = 16 };
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) __builtin_prefetch(&t->bucket[table_place(t, boards[i + AHEAD])], 1);
        add_one(t, boards[i], values[i]);
    }
}
