// SPDX-License-Identifier: MIT
// A solved directory to ask: what is an afterstate worth, what to do in a state.
// Threads may share one.
#ifndef SOLVE_SOLUTION_H
#define SOLVE_SOLUTION_H

#include "solve/manifest.h"
#include "solve/rules.h"
#include "solve/set.h"
#include "solve/values.h"

struct solution;

// Whether a path is a solution's directory.
int solution_is(const char *path);
// Whether a path is the folder of some values within a solution's directory.
int solution_is_values(const char *path);

// Opens a directory with the values of this name, NULL being "score". One that
// is solved in part answers for what it has. NULL on failure.
struct solution *solution_open(const char *folder, const char *values);
void solution_close(struct solution *s);

const struct rules *solution_rules(const struct solution *s);
const struct forward_manifest *solution_ages(const struct solution *s);
// Without a line where there are no values yet.
const struct backward_manifest *solution_values(const struct solution *s);
// The steps that values are multiples of.
double solution_step(const struct solution *s);

// Whether whole games can be played by it: all ages are there and have values,
// and all files their sizes. 0, or -1 after a fail that names what is missing.
int solution_ready(const struct solution *s);

enum { SOLUTION_FAILED = -1, SOLUTION_KNOWN, SOLUTION_UNREACHED, SOLUTION_UNSOLVED };

// An age's files, opened at first use and open until solution_close. NULL after
// a fail that names what is missing or damaged; *why tells SOLUTION_UNSOLVED
// from SOLUTION_FAILED.
struct solution_age {
    struct set *set;
    struct values *values;
    struct id_codec *codec;
};
const struct solution_age *solution_age(struct solution *s, uint64_t age, int *why);

// The value of an afterstate, any image of it. SOLUTION_UNREACHED if no game
// leads to it; SOLUTION_UNSOLVED with a fail that says what is missing.
int solution_value(struct solution *s, struct board afterstate, double *value);

struct solution_moves {
    unsigned legal, best;   // bit 1 << move each; best has all that are equally good
    double value[4];        // reward and afterstate of each legal move
    double state;           // the best of them, 0 if there is none
};

// All moves of a state, as solution_value answers for their afterstates.
int solution_moves(struct solution *s, struct board state, struct solution_moves *to);

// Compares every file of a directory, of all its values, with the SHA-256 in its
// manifest. Counts files of afterstates and of values, and their bytes. 0, or -1
// with the name of one that is damaged, missing or cut short.
int solution_check(const char *folder, unsigned threads, uint64_t files[2], uint64_t *bytes);

// The value that its successors' values give an afterstate: what the Bellman
// equation demands of it. Answers as solution_value.
int solution_backup(struct solution *s, struct board afterstate, double *value);

// Draws n afterstates that have values and compares what is stored with
// solution_backup; they may differ by what rounding explains. *worst is the
// largest difference seen. 0, or -1 with the board that is wrong.
int solution_sample(struct solution *s, uint64_t n, uint64_t seed, unsigned threads, double *worst);

#endif
