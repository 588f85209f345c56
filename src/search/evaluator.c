// SPDX-License-Identifier: MIT
#include "search/evaluator.h"

#include <stdlib.h>

#include "ntuple/eval.h"
#include "ntuple/weights.h"
#include "util/fail.h"

struct evaluator {
    struct weights weights;
    const struct ntuple_kernel *kernel;
    struct player player;
};

static void play_greedily(const struct player *self, const struct shape *shape, uint64_t p4,
                          struct game *game, unsigned n) {
    const struct evaluator *e = self->context;
    (void)shape;
    e->kernel->greedy(e->weights.layout, e->weights.v, p4, game, n);
}

struct evaluator *evaluator_open(const char *path) {
    struct evaluator *e = calloc(1, sizeof *e);
    if (!e) return fail("out of memory"), NULL;
    if (weights_open(&e->weights, path, WEIGHTS_PLAY)) return free(e), NULL;
    e->kernel = ntuple_kernel_best();
    e->player = (struct player){play_greedily, 32, e};
    return e;
}

void evaluator_close(struct evaluator *e) {
    if (!e) return;
    weights_close(&e->weights);
    free(e);
}

const struct shape *evaluator_shape(const struct evaluator *e) { return &e->weights.layout->shape; }

const char *evaluator_name(const struct evaluator *e) {
    (void)e;
    return "greedy n-tuple network";
}

const struct player *evaluator_player(const struct evaluator *e) { return &e->player; }

uint64_t evaluator_episodes(const struct evaluator *e) { return *e->weights.episodes; }

double evaluator_value(const struct evaluator *e, struct board after) {
    return (double)e->kernel->value(e->weights.layout, e->weights.v, after);
}
