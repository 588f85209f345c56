// SPDX-License-Identifier: MIT
// The backward pass: the value of every afterstate, from the last age down.
//
// A state is worth its best move's reward and afterstate; an afterstate is
// worth what its spawns make of it. Values are doubles all the way; files keep
// them rounded. The last two ages are also kept exactly, so that a pass that
// was killed goes on with the very numbers it had.
#ifndef SOLVE_BACKWARD_H
#define SOLVE_BACKWARD_H

#include "solve/manifest.h"

struct backward_options {
    unsigned threads;
    uint64_t memory;
    struct objective objective; // of a directory that is there, only its name's parts count
    // After each age, with the afterstates done and all; may be NULL.
    void (*tell)(void *context, const struct value_line *age, uint64_t done, uint64_t all);
    void *context;
};

struct backward;

// Opens the values of an objective, or begins them. NULL on failure.
struct backward *backward_open(const char *folder, const struct backward_options *options);
void backward_close(struct backward *b);
const struct backward_manifest *backward_manifest(const struct backward *b);

// Values of all ages that are missing. 0, or -1 on failure.
int backward_run(struct backward *b);

#endif
