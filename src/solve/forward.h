// SPDX-License-Identifier: MIT
// The forward pass: all reachable afterstates, age by age.
//
// States of an age come from afterstates two and four younger by a spawn;
// afterstates come from states by a slide. Only afterstates are kept. An age
// whose spawns do not fit the memory is made in parts, by a hash of the states;
// a part leaves a sorted run, and a merge of the runs makes the age. Neither
// parts nor threads show in the result.
#ifndef SOLVE_FORWARD_H
#define SOLVE_FORWARD_H

#include "solve/manifest.h"

struct forward_options {
    unsigned threads;
    uint64_t memory; // bytes to stay within
    uint64_t to;     // the last age to make
    // After each age, with the counts so far; may be NULL.
    void (*tell)(void *context, const struct age_line *age, uint64_t states);
    void *context;
};

struct forward;

// Opens or begins the directory; share leaves it to other parts' processes.
// A directory that is there already must have this shape (if its cells are not
// 0) and p4 (if not negative). NULL on failure.
struct forward *forward_open(const char *folder, const struct shape *shape, double p4,
                             const struct forward_options *options, int share);
void forward_close(struct forward *f);

const struct forward_manifest *forward_manifest(const struct forward *f);

// Makes all ages that are missing, up to options->to. 0, or -1 on failure.
int forward_run(struct forward *f);

// Makes part i (from 0) of so many of the next age: a run in runs/. 0, or -1.
int forward_part(struct forward *f, unsigned i, unsigned parts);
// Makes the next age of that many runs. 0, or -1.
int forward_merge(struct forward *f, unsigned parts);

#endif
