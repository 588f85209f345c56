// SPDX-License-Identifier: MIT
// Very many numbers thrown on piles, and what is distinct on each pile.
//
// A pile is a part of the numbers, by hash or by range, small enough that
// finding its distinct members stays in the cache. Workers throw without locks,
// each on its own half of every pile, from memory that all piles share.
#ifndef SOLVE_PILE_H
#define SOLVE_PILE_H

#include <stddef.h>
#include <stdint.h>

enum { CHUNK_ITEMS = 254 };

struct chunk {
    struct chunk *next;
    uint64_t n;
    uint64_t item[CHUNK_ITEMS];
};

// Where chunks come from and go back to.
struct chunk_pool;
struct chunk_pool *chunk_pool_open(unsigned workers);
void chunk_pool_close(struct chunk_pool *pool);

struct piles {
    struct chunk_pool *pool;
    unsigned workers, n;
    struct pile {
        struct chunk *head;
        uint64_t *at, *end; // where the next item goes in head
    } *pile;                // n for each worker
};

// 0, or -1 when memory runs out. Free what was not taken with piles_free.
int piles_init(struct piles *p, struct chunk_pool *pool, unsigned workers, unsigned n);
void piles_free(struct piles *p);

// Puts a fresh chunk on a pile. 0, or -1 when memory runs out.
int pile_grow(struct piles *p, unsigned worker, struct pile *pile);

static inline int pile_put(struct piles *p, unsigned worker, unsigned i, uint64_t item) {
    struct pile *pile = &p->pile[(size_t)worker * p->n + i];
    if (__builtin_expect(pile->at == pile->end, 0) && pile_grow(p, worker, pile)) return -1;
    *pile->at++ = item;
    return 0;
}

// How many items are on pile i.
uint64_t pile_count(const struct piles *p, unsigned i);

// A worker's room for one pile.
struct heap {
    uint64_t *list, *other; // the pile's numbers; scratch for sorting
    uint64_t *table;
    size_t room, table_room;
};

void heap_free(struct heap *h);

// Takes pile i down into h->list, once each; returns their number, or -1 when
// memory runs out. The chunks go back to the pool as worker's.
int64_t pile_distinct(struct piles *p, unsigned worker, unsigned i, struct heap *h);

// As pile_distinct, without looking for repeats.
int64_t pile_take(struct piles *p, unsigned worker, unsigned i, struct heap *h);

// Sorts the first n numbers of h->list.
void heap_sort(struct heap *h, size_t n);

// A hash that the piles' own tables do not use.
static inline uint64_t pile_hash(uint64_t x) {
    x ^= x >> 29;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

// Pile number below n of a number, and its place among n evenly.
static inline uint32_t pile_of(uint64_t x, uint64_t n) {
    return (uint32_t)((pile_hash(x) & 0xffffffffu) * n >> 32);
}

#endif
