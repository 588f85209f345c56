// SPDX-License-Identifier: MIT
#include "solve/table.h"

#include <sys/mman.h>

#include "util/fail.h"

int table_init(struct table *t, uint64_t n) {
    uint64_t slots = n + n * 3 / 7 + 8;
    *t = (struct table){0};
    if (slots >> 32) return fail("age too large: %lu afterstates", (unsigned long)n);
    size_t size = slots * sizeof *t->slot;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return fail_errno("memory");
#ifdef MADV_HUGEPAGE
    if (size > (size_t)4 << 20) madvise(p, size, MADV_HUGEPAGE);
#endif
    *t = (struct table){p, slots, size, 0, UINT64_MAX};
    return 0;
}

void table_free(struct table *t) {
    if (t->slot) munmap(t->slot, t->mapped);
    *t = (struct table){0};
}
