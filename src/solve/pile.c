// SPDX-License-Identifier: MIT
#include "solve/pile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/fail.h"

enum { SLAB_CHUNKS = 1024 }; // 2 MiB, one huge page

struct slab {
    struct slab *next;
    void *memory;
};

struct free_list {
    struct chunk *head;
    size_t n;
};

struct chunk_pool {
    pthread_mutex_t lock;
    struct slab *slabs;
    struct free_list *own;  // one a worker
    struct chunk *bundles;  // lists of SLAB_CHUNKS, linked by their first items
};

struct chunk_pool *chunk_pool_open(unsigned workers) {
    struct chunk_pool *pool = calloc(1, sizeof *pool);
    if (!pool || !(pool->own = calloc(workers, sizeof *pool->own)))
        return free(pool), fail("out of memory"), NULL;
    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

void chunk_pool_close(struct chunk_pool *pool) {
    if (!pool) return;
    while (pool->slabs) {
        struct slab *s = pool->slabs;
        pool->slabs = s->next;
        munmap(s->memory, SLAB_CHUNKS * sizeof(struct chunk));
        free(s);
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool->own);
    free(pool);
}

// Takes a bundle that others gave back. 0 if there was one.
static int take_bundle(struct chunk_pool *pool, struct free_list *own) {
    pthread_mutex_lock(&pool->lock);
    struct chunk *bundle = pool->bundles;
    if (bundle) pool->bundles = (struct chunk *)(uintptr_t)bundle->item[0];
    pthread_mutex_unlock(&pool->lock);
    if (bundle) *own = (struct free_list){bundle, SLAB_CHUNKS};
    return bundle ? 0 : -1;
}

// More chunks for a worker's empty list: given back ones, or a new slab.
static int refill(struct chunk_pool *pool, struct free_list *own) {
    if (take_bundle(pool, own) == 0) return 0;
    size_t size = SLAB_CHUNKS * sizeof(struct chunk);
    struct slab *s = fail_alloc(1, sizeof *s);
    if (!s) return -1;
    s->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s->memory == MAP_FAILED) return free(s), fail_errno("memory");
#ifdef MADV_HUGEPAGE
    madvise(s->memory, size, MADV_HUGEPAGE);
#endif
    pthread_mutex_lock(&pool->lock);
    s->next = pool->slabs;
    pool->slabs = s;
    pthread_mutex_unlock(&pool->lock);
    struct chunk *chunk = s->memory;
    for (unsigned i = SLAB_CHUNKS; i-- > 0; own->n++) {
        chunk[i].next = own->head;
        own->head = &chunk[i];
    }
    return 0;
}

// A worker that takes down more than it throws shares what it does not need.
static void give_bundle(struct chunk_pool *pool, struct free_list *own) {
    struct chunk *bundle = own->head, *last = bundle;
    for (unsigned i = 1; i < SLAB_CHUNKS; i++) last = last->next;
    own->head = last->next;
    own->n -= SLAB_CHUNKS;
    last->next = NULL;
    pthread_mutex_lock(&pool->lock);
    bundle->item[0] = (uint64_t)(uintptr_t)pool->bundles;
    pool->bundles = bundle;
    pthread_mutex_unlock(&pool->lock);
}

int piles_init(struct piles *p, struct chunk_pool *pool, unsigned workers, unsigned n) {
    *p = (struct piles){pool, workers, n, calloc((size_t)workers * n, sizeof *p->pile)};
    return p->pile ? 0 : fail("out of memory");
}

// Gives a pile's chunks back.
static void release(struct chunk_pool *pool, unsigned worker, struct chunk *head) {
    struct free_list *own = &pool->own[worker];
    while (head) {
        struct chunk *next = head->next;
        head->next = own->head;
        own->head = head;
        head = next;
        if (++own->n >= 2 * SLAB_CHUNKS) give_bundle(pool, own);
    }
}

void piles_free(struct piles *p) {
    for (size_t i = 0; p->pile && i < (size_t)p->workers * p->n; i++)
        release(p->pool, (unsigned)(i / p->n), p->pile[i].head);
    free(p->pile);
    p->pile = NULL;
}

int pile_grow(struct piles *p, unsigned worker, struct pile *pile) {
    struct free_list *own = &p->pool->own[worker];
    if (!own->n && refill(p->pool, own)) return -1;
    struct chunk *c = own->head;
    own->head = c->next;
    own->n--;
    c->next = pile->head;
    if (pile->head) pile->head->n = CHUNK_ITEMS;
    pile->head = c;
    pile->at = c->item;
    pile->end = c->item + CHUNK_ITEMS;
    return 0;
}

static uint64_t half_count(const struct pile *pile) {
    uint64_t n = pile->head ? (uint64_t)(pile->at - pile->head->item) : 0;
    for (struct chunk *c = pile->head ? pile->head->next : NULL; c; c = c->next) n += c->n;
    return n;
}

uint64_t pile_count(const struct piles *p, unsigned i) {
    uint64_t n = 0;
    for (unsigned w = 0; w < p->workers; w++) n += half_count(&p->pile[(size_t)w * p->n + i]);
    return n;
}

void heap_free(struct heap *h) {
    free(h->list);
    free(h->other);
    free(h->table);
    *h = (struct heap){0};
}

static int heap_room(struct heap *h, size_t n) {
    if (n <= h->room) return 0;
    n += n / 4;
    free(h->list);
    free(h->other);
    h->list = fail_alloc(n, sizeof *h->list);
    h->other = fail_alloc(n, sizeof *h->other);
    h->room = h->list && h->other ? n : 0;
    return h->room ? 0 : -1;
}

static int table_room(struct heap *h, size_t n) {
    if (n > h->table_room) {
        free(h->table);
        h->table = fail_alloc(n, sizeof *h->table);
        h->table_room = h->table ? n : 0;
        if (!h->table) return -1;
    }
    memset(h->table, 0, n * sizeof *h->table);
    return 0;
}

static inline size_t place(uint64_t x, unsigned bits) {
    return (size_t)((x * 0xd6e8feb86659fd93u) >> (64 - bits));
}

static inline void insert(uint64_t *table, unsigned bits, uint64_t x) {
    size_t mask = ((size_t)1 << bits) - 1, i = place(x, bits);
    while (table[i]) i = (i + 1) & mask;
    table[i] = x;
}

// Doubles the table that holds the first n numbers of the list.
static int widen(struct heap *h, unsigned *bits, size_t n) {
    *bits += 1;
    if (table_room(h, (size_t)1 << *bits)) return -1;
    for (size_t i = 0; i < n; i++) insert(h->table, *bits, h->list[i]);
    return 0;
}

int64_t pile_distinct(struct piles *p, unsigned worker, unsigned i, struct heap *h) {
    uint64_t most = pile_count(p, i);
    unsigned bits = 9;
    while (((uint64_t)1 << bits) < most) bits++;
    if (heap_room(h, most) || table_room(h, (size_t)1 << bits)) return -1;
    size_t n = 0, limit = ((size_t)1 << bits) / 4 * 3;
    for (unsigned w = 0; w < p->workers; w++) {
        struct pile *pile = &p->pile[(size_t)w * p->n + i];
        if (pile->head) pile->head->n = (uint64_t)(pile->at - pile->head->item);
        for (struct chunk *c = pile->head; c; c = c->next) {
            size_t mask = ((size_t)1 << bits) - 1;
            for (uint64_t k = 0; k < c->n; k++) {
                uint64_t x = c->item[k];
                size_t at = place(x, bits);
                while (h->table[at] && h->table[at] != x) at = (at + 1) & mask;
                h->list[n] = x;
                n += !h->table[at];
                h->table[at] = x;
            }
            if (n + CHUNK_ITEMS > limit) {
                if (widen(h, &bits, n)) return -1;
                limit = ((size_t)1 << bits) / 4 * 3;
            }
        }
        release(p->pool, worker, pile->head);
        *pile = (struct pile){0};
    }
    return (int64_t)n;
}

int64_t pile_take(struct piles *p, unsigned worker, unsigned i, struct heap *h) {
    if (heap_room(h, pile_count(p, i))) return -1;
    size_t n = 0;
    for (unsigned w = 0; w < p->workers; w++) {
        struct pile *pile = &p->pile[(size_t)w * p->n + i];
        if (pile->head) pile->head->n = (uint64_t)(pile->at - pile->head->item);
        for (struct chunk *c = pile->head; c; n += c->n, c = c->next)
            memcpy(h->list + n, c->item, c->n * sizeof *c->item);
        release(p->pool, worker, pile->head);
        *pile = (struct pile){0};
    }
    return (int64_t)n;
}

// Least significant digit first; only digits in which the numbers differ.
void heap_sort(struct heap *h, size_t n) {
    enum { DIGIT = 11 };
    uint64_t differ = 0;
    for (size_t i = 1; i < n; i++) differ |= h->list[i] ^ h->list[0];
    if (!differ) return;
    unsigned low = (unsigned)__builtin_ctzll(differ), high = 64 - (unsigned)__builtin_clzll(differ);
    unsigned width = n < 2048 ? 8 : DIGIT;
    for (unsigned shift = low; shift < high; shift += width) {
        uint32_t count[1 << DIGIT] = {0}, at = 0;
        uint64_t mask = ((uint64_t)1 << width) - 1, *t;
        if (!(differ >> shift & mask)) continue;
        for (size_t i = 0; i < n; i++) count[h->list[i] >> shift & mask]++;
        for (size_t i = 0; i <= mask; i++) {
            uint32_t c = count[i];
            count[i] = at;
            at += c;
        }
        for (size_t i = 0; i < n; i++) h->other[count[h->list[i] >> shift & mask]++] = h->list[i];
        t = h->list;
        h->list = h->other;
        h->other = t;
    }
}
