// SPDX-License-Identifier: MIT
// All states of an age, each once, from the afterstates 2 and 4 younger.
#ifndef SOLVE_STATES_H
#define SOLVE_STATES_H

#include "solve/ids.h"
#include "solve/pile.h"
#include "solve/set.h"

// The afterstates of an age to read from: sorted IDs in memory, or a file.
struct source {
    struct id_codec codec;
    uint64_t n;
    uint64_t *ids;   // owned
    struct set *set; // owned
};

void source_close(struct source *s);

// Boards SET_BLOCK * block and following; returns how many.
size_t source_boards(const struct source *s, uint64_t block, uint64_t board[SET_BLOCK]);

// A thread's room, made by states_throw; heap is free between calls.
struct state_worker {
    struct heap heap;
    uint64_t board[SET_BLOCK], made[SET_BLOCK * MOST_SOLVED_CELLS];
};

// One part of an age's states, on piles.
struct states {
    const struct rules *rules;
    uint64_t age;
    double p4;
    const struct source *source[2]; // of ages 2 and 4 younger; NULL or empty: none
    unsigned threads;
    unsigned part, parts;           // this one of so many, by a hash of the state
    uint64_t spawns;                // how many there are, for the size of the piles
    struct chunk_pool *pool;
    struct state_worker *worker;    // one a thread
    // Run by one of the threads while the others throw; may be NULL.
    int (*meanwhile)(void *context);
    void *context;
    // The result: piles to take down with pile_distinct.
    struct piles piles;
    // Its own.
    uint64_t slice, slices[2];
};

// Whether tiles of 2 (i 0) and of 4 (i 1) appear at all.
static inline int spawns_tile(double p4, int i) { return i ? p4 > 0 : p4 < 1; }

// Throws all states of the part on s->piles, which the caller frees. 0, or -1.
int states_throw(struct states *s);

#endif
