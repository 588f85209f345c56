// SPDX-License-Identifier: MIT
// What a solution directory's two kinds of manifests say; solution(5).
#ifndef SOLVE_MANIFEST_H
#define SOLVE_MANIFEST_H

#include "game/board.h"
#include "solve/journal.h"

enum { FIRST_AGE = 4, NAME_TEXT = 64 };

// An age of the forward pass.
struct age_line {
    uint64_t age, states, afterstates, terminal;
    uint64_t empty; // empty cells of all afterstates: the spawns of one tile
    uint64_t bytes;
    char sha256[SHA256_TEXT];
};

struct forward_manifest {
    struct shape shape;
    double p4;
    struct age_line *age; // FIRST_AGE, FIRST_AGE + 2, ...
    size_t n;
    int complete;         // no age follows
};

// The lines of a directory; of a new one, an empty manifest without a shape.
// 0, or -1 on failure. Free with forward_manifest_free.
int forward_manifest_read(const struct journal *j, struct forward_manifest *m);
void forward_manifest_free(struct forward_manifest *m);

// Keep lines for the next commit. The ages are also added to m.
int forward_manifest_begin(struct journal *j, const struct shape *shape, double p4);
int forward_manifest_add(struct journal *j, struct forward_manifest *m, const struct age_line *age);
int forward_manifest_end(struct journal *j, struct forward_manifest *m);

// The line of an age, or NULL.
const struct age_line *forward_manifest_age(const struct forward_manifest *m, uint64_t age);

// File names: "afterstates/00004.ef".
const char *afterstates_name(uint64_t age, char to[NAME_TEXT]);

enum spawn_choice { SPAWN_EXPECTED, SPAWN_BEST, SPAWN_WORST };
extern const char *const spawn_choices[]; // NULL-terminated

// What values mean. reach is the exponent whose probability is asked for, 0 for
// the score.
struct objective {
    enum spawn_choice spawn;
    unsigned reach;
    unsigned precision; // values are multiples of 2^-precision
    int horizon;        // the game ends after the last enumerated age
};

// The folder of an objective's values: "score", "score-best", "reach-512".
const char *objective_name(const struct objective *o, char to[NAME_TEXT]);

// An age of the backward pass.
struct value_line {
    uint64_t age, bytes;
    double best; // the largest value; 0 without afterstates
    char sha256[SHA256_TEXT];
};

// Expected values of fresh games: over all starts, and from the three kinds.
struct start_values {
    double all, of_22, of_24, of_44;
};

struct backward_manifest {
    struct objective objective;
    uint64_t last;          // the age of value[0]; values are of last, last - 2, ...
    struct value_line *value;
    size_t n;
    int complete;
    struct start_values start;
};

int backward_manifest_read(const struct journal *j, struct backward_manifest *m);
void backward_manifest_free(struct backward_manifest *m);
int backward_manifest_begin(struct journal *j, struct backward_manifest *m);
int backward_manifest_add(struct journal *j, struct backward_manifest *m,
                          const struct value_line *value);
int backward_manifest_end(struct journal *j, struct backward_manifest *m,
                          const struct start_values *start);
const struct value_line *backward_manifest_age(const struct backward_manifest *m, uint64_t age);

const char *values_name(uint64_t age, char to[NAME_TEXT]);
const char *exact_name(uint64_t age, char to[NAME_TEXT]);

#endif
