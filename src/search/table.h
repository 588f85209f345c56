// SPDX-License-Identifier: MIT
// Values that a search has found, in a fixed amount of memory.
//
// An entry holds its key exactly, so a value found is the very value that was
// kept: what a search answers does not depend on the table. Threads may share
// one without a lock. The functions that look into it are here for HOT files.
#ifndef SEARCH_TABLE_H
#define SEARCH_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    TABLE_LEAST = 1 << 20, // bytes
    TABLE_WAYS = 4,        // entries of a bucket, which is a cache line
    TABLE_WHAT = 11,       // bits of what belongs to the key besides the board
    TABLE_EPOCH = 3,       // bits of the epoch
};

// The first word is the tag exclusive-or the value, so that halves of two
// entries, written at the same time by two threads, do not look like one.
struct table_entry {
    _Atomic uint64_t mixed, value;
};

struct table {
    struct table_entry (*bucket)[TABLE_WAYS];
    unsigned bits;  // 2^bits buckets
    uint64_t epoch; // entries of other epochs are replaced first
    size_t bytes;
};

// Whether the machine has so much memory to give. 0, or -1.
int table_fits(uint64_t bytes);

// Fits a table into so many bytes, at least TABLE_LEAST. All its memory is there
// afterwards. NULL on failure, also if it does not fit.
struct table *table_new(uint64_t bytes);
void table_free(struct table *t);

// What was kept so far becomes old.
static inline void table_age(struct table *t) { t->epoch = (t->epoch + 1) % (1 << TABLE_EPOCH); }

// One to one, so that the bits that do not choose the bucket are all that is
// needed to tell boards apart. The room that the others leave in a tag holds
// what (from bit 0) and the epoch.
static inline uint64_t table_mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

// Where a key stands: its bucket, and its tag without the epoch.
struct table_place {
    struct table_entry *bucket;
    uint64_t tag;
};

// The key is a board without tiles of 65536 and more, and what: not 0, and below
// 2^TABLE_WHAT. Asks the memory for the bucket.
static inline struct table_place table_find(const struct table *t, uint64_t board, unsigned what) {
    uint64_t mixed = table_mix(board ^ (uint64_t)what << 53);
    struct table_place place = {t->bucket[mixed >> (64 - t->bits)], mixed << t->bits | what};
    __builtin_prefetch(place.bucket);
    return place;
}

static inline uint64_t table_tag(const struct table_entry *e, uint64_t *value) {
    *value = atomic_load_explicit(&e->value, memory_order_relaxed);
    return atomic_load_explicit(&e->mixed, memory_order_relaxed) ^ *value;
}

// Whether a value is there; *to is it then.
static inline int table_get(struct table_place place, double *to) {
    const uint64_t epochs = (uint64_t)((1 << TABLE_EPOCH) - 1) << TABLE_WHAT;
    for (unsigned i = 0; i < TABLE_WAYS; i++) {
        uint64_t value, tag = table_tag(&place.bucket[i], &value);
        if ((tag ^ place.tag) & ~epochs) continue;
        memcpy(to, &value, sizeof value);
        return 1;
    }
    return 0;
}

// Keeps a value in place of the oldest, and among those the one with the least
// in the low four bits of what: it took the least work.
static inline void table_put(const struct table *t, struct table_place place, double v) {
    struct table_entry *to = place.bucket;
    unsigned least = ~0u;
    uint64_t value;
    for (unsigned i = 0; i < TABLE_WAYS; i++) {
        uint64_t tag = table_tag(&place.bucket[i], &value);
        unsigned fresh = (tag >> TABLE_WHAT) % (1 << TABLE_EPOCH) == t->epoch;
        unsigned worth = fresh << 4 | (unsigned)(tag & 15);
        if (worth >= least) continue;
        least = worth;
        to = &place.bucket[i];
    }
    memcpy(&value, &v, sizeof value);
    atomic_store_explicit(&to->mixed, (place.tag | t->epoch << TABLE_WHAT) ^ value, memory_order_relaxed);
    atomic_store_explicit(&to->value, value, memory_order_relaxed);
}

#endif
