// SPDX-License-Identifier: MIT
#include "search/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/fail.h"

// What programs can have without harm to others, where the system tells; else all.
static uint64_t memory(void) {
    uint64_t kib = 0, all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1) break;
    if (f) fclose(f);
    return kib && kib << 10 < all ? kib << 10 : all;
}

int table_fits(uint64_t bytes) {
    uint64_t most = memory();
    if (bytes <= most) return 0;
    return fail("table of %" PRIu64 " MiB: more than the memory that is left, %" PRIu64 " MiB",
                bytes >> 20, most >> 20);
}

struct table *table_new(uint64_t bytes) {
    if (table_fits(bytes)) return NULL;
    struct table *t = calloc(1, sizeof *t);
    if (!t) return fail("out of memory"), NULL;
    size_t bucket = sizeof *t->bucket;
    while (bucket << (t->bits + 1) <= bytes) t->bits++;
    t->bytes = bucket << t->bits;
    t->bucket = mmap(NULL, t->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (t->bucket == MAP_FAILED) {
        free(t);
        return fail("table of %" PRIu64 " MiB: no memory", bytes >> 20), NULL;
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
