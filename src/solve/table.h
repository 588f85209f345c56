// SPDX-License-Identifier: MIT
// Afterstates of an age with their values, to look up by board.
#ifndef SOLVE_TABLE_H
#define SOLVE_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { BUCKET = 4 };

// One cache line; most lookups see no other.
struct bucket {
    uint64_t board[BUCKET]; // 0: free
    double value[BUCKET];
};

struct table {
    struct bucket *bucket;
    uint64_t n;         // buckets; 0: an age that is not there
    size_t mapped;      // bytes of memory, which may be more than the buckets'
    uint64_t low, high; // boards that are held, where only a part is
};

enum { TABLE_BYTES = 25 }; // for each board, about

// Room for n boards, in the memory of spare if that suits. 0, or -1 when memory
// runs out.
int table_init(struct table *t, uint64_t n, struct table *spare);
void table_free(struct table *t);

static inline uint64_t table_place(const struct table *t, uint64_t board) {
    return (board * 0x9e3779b97f4a7c15u >> 32) * t->n >> 32;
}

// Adds boards that are not there yet; threads may do so at the same time.
void table_add(struct table *t, const uint64_t *boards, const double *values, size_t n);

// The values of boards, or -1 for those that are not there; -2 for those that
// belong to another part. Not while others add. One a CPU variant.
typedef void table_values_function(const struct table *t, const uint64_t *boards, size_t n,
                                   double *values);
extern table_values_function table_values_plain, table_values_v3;

// The machine's best.
table_values_function *table_values_best(void);

#endif
