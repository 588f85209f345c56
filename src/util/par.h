// SPDX-License-Identifier: MIT
// Work on several threads whose result does not depend on their number.
#ifndef UTIL_PAR_H
#define UTIL_PAR_H

#include <stdint.h>

// Slots a thread: enough that a thread seldom waits behind a long item.
enum { PAR_SLOTS = 8 };

// Items 0, 1, 2, ... are made on several threads (the caller is one of them),
// each in a slot, and taken in order, one at a time, by any of them.
struct par_line {
    unsigned threads;
    uint64_t items;  // how many at most
    void **slots;    // PAR_SLOTS * threads of them, the caller's
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
