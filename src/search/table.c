// SPDX-License-Identifier: MIT
#include "search/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/fail.h"

struct table *table_new(uint64_t bytes) {
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (bytes / page > pages)
        return fail("a table of %" PRIu64 " MiB is more than this machine's memory, %" PRIu64 " MiB",
                    bytes >> 20, pages * page >> 20), NULL;
    struct table *t = calloc(1, sizeof *t);
    if (!t) return fail("out of memory"), NULL;
    size_t bucket = sizeof *t->bucket;
    while (bucket << (t->bits + 1) <= bytes) t->bits++;
    t->bytes = bucket << t->bits;
    t->bucket = mmap(NULL, t->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (t->bucket == MAP_FAILED) {
        free(t);
        return fail("no memory for a table of %" PRIu64 " MiB", bytes >> 20), NULL;
    }
#ifdef MADV_HUGEPAGE
    madvise(t->bucket, t->bytes, MADV_HUGEPAGE);
#endif
    memset(t->bucket, 0, t->bytes); // so that no search waits for the pages
    return t;
}

void table_free(struct table *t) {
    if (!t) return;
    munmap(t->bucket, t->bytes);
    free(t);
}
