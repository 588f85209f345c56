// SPDX-License-Identifier: MIT
// Work on several threads whose result does not depend on their number.
#ifndef UTIL_PAR_H
#define UTIL_PAR_H

#include <stdint.h>

// Items 0, 1, 2, ... are made on worker threads, each in a slot, and taken in
// order on the calling thread. With one thread everything runs on the caller.
struct par_line {
    unsigned threads;
    uint64_t items;  // how many at most
    void **slots;    // 2 * threads of them, the caller's
    void *context;
    // Fills the slot with item i. 0, or -1 after a fail.
    int (*make)(void *context, uint64_t i, void *slot);
    // Uses the slot. 0 to go on, 1 to stop, -1 after a fail.
    int (*take)(void *context, uint64_t i, void *slot);
};

// 0 when all items were taken or take stopped; -1 with the failure's text.
int par_in_order(const struct par_line *line);

// Calls work(context, worker, i) once for each i below n, on several threads.
// 0, or -1 with the text of a failure; after one, no further i is begun.
int par_for(unsigned threads, uint64_t n, int (*work)(void *context, unsigned worker, uint64_t i),
            void *context);

#endif
