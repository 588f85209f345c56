// SPDX-License-Identifier: MIT
// Afterstates of an age with their values, to look up by board.
#ifndef SOLVE_TABLE_H
#define SOLVE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct slot {
    uint64_t board; // 0: free
    double value;
};

struct table {
    struct slot *slot;
    uint64_t n;      // slots; 0: an age that is not there, all of whose values are 0
    size_t mapped;   // bytes
    uint64_t low, high; // boards that are held, where only a part is
};

enum { TABLE_BYTES = 23 }; // for each board, about

// Room for n boards of any kind. 0, or -1 when memory runs out.
int table_init(struct table *t, uint64_t n);
void table_free(struct table *t);

static inline uint64_t table_place(const struct table *t, uint64_t board) {
    return (board * 0x9e3779b97f4a7c15u >> 32) * t->n >> 32;
}

static inline void table_prefetch(const struct table *t, uint64_t board) {
    __builtin_prefetch(&t->slot[table_place(t, board)]);
}

// Adds a board that is not there yet; threads may do so at the same time.
static inline void table_add(struct table *t, uint64_t board, double value) {
    uint64_t i = table_place(t, board), empty = 0;
    while (!__atomic_compare_exchange_n(&t->slot[i].board, &empty, board, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
        empty = 0;
        if (++i == t->n) i = 0;
    }
    t->slot[i].value = value;
}

// The value of a board, or -1 if it is not there. Not while others add.
static inline double table_value(const struct table *t, uint64_t board) {
    uint64_t i = table_place(t, board);
    while (t->slot[i].board != board) {
        if (!t->slot[i].board) return -1;
        if (++i == t->n) i = 0;
    }
    return t->slot[i].value;
}

#endif
