// SPDX-License-Identifier: MIT
// How much the second-best move costs, over all states of an age.
#ifndef SOLVE_MOVES_H
#define SOLVE_MOVES_H

#include "solve/solution.h"

struct moves_stat {
    uint64_t states;  // all of the age
    uint64_t choices; // those with two moves or more
    uint64_t near;    // those whose second-best move is less than 1 worse
    double gap;       // mean difference of the two best moves over the choices
};

// Goes through every state of an age that has values. Sums are of whole steps,
// so they depend neither on threads nor on memory. 0, or -1 on failure.
int moves_stat(struct solution *s, uint64_t age, unsigned threads, uint64_t memory,
               struct moves_stat *to);

#endif
