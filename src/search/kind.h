// SPDX-License-Identifier: MIT
// What a kind of evaluator has to offer; search/evaluator.c knows them all.
#ifndef SEARCH_KIND_H
#define SEARCH_KIND_H

#include "search/evaluator.h"

struct evaluator {
    const struct evaluator_kind *kind;
    char *path;
    const struct shape *shape; // set by open
    double p4;                 // set by open where values are for one probability of a 4
    double equal;              // set by open where values that differ by less are as good as equal
    struct player player;
    void *own;                 // the kind's own
};

struct evaluator_kind {
    const char *name;             // of its player, for the header of episodes
    const char *noun;             // what it is, for the header of players that look further
    int (*is)(const char *path);  // whether it can be one of this kind
    int (*open)(struct evaluator *e);   // 0, or -1 after a fail that names the path
    void (*close)(struct evaluator *e); // also after open failed
    // As in struct player, whose context is the evaluator.
    int (*play)(const struct player *self, const struct shape *shape, uint64_t p4,
                struct game *game, unsigned n);
    unsigned batch;
    // As evaluator_value.
    int (*value)(const struct evaluator *e, struct board after, double *value);
    // As evaluator_values; NULL: one by one.
    int (*values)(const struct evaluator *e, const struct board *after, unsigned n, double *to);
    // As evaluator_searchable; NULL: always.
    int (*searchable)(const struct evaluator *e);
    int single; // whether its player adds rewards to values in single precision
    // Episodes that learners have applied to it; NULL where nothing learns.
    uint64_t (*episodes)(const struct evaluator *e);
    // As evaluator_stages and evaluator_stage; both NULL: one stage.
    unsigned (*stages)(const struct evaluator *e);
    unsigned (*stage)(const struct evaluator *e, struct board b);
};

extern const struct evaluator_kind kind_ntuple, kind_solution;

#endif
