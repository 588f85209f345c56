// SPDX-License-Identifier: MIT
// Episodes handed to several threads, each traced and checked.
#ifndef EPISODE_CONSUME_H
#define EPISODE_CONSUME_H

#include "episode/stream.h"

struct trace {
    const struct board *after;  // of each step
    const uint32_t *reward;
    size_t steps;
    int cut;
    uint64_t score;
};

struct consume {
    unsigned threads;
    uint64_t every; // moves between two calls of rest
    void *context;
    // Uses one episode. 0, or -1 after a fail.
    int (*use)(void *context, unsigned thread, const struct trace *t);
    // Called after each episode, by one thread at a time. 0, or -1.
    int (*count)(void *context, unsigned thread, const struct trace *t);
    // Called while no thread uses an episode. 0, or -1 after a fail.
    int (*rest)(void *context);
};

// Reads all episodes. With one thread they are used in order. 0, or -1.
int episode_consume(struct episode_reader *r, const struct consume *c);

#endif
