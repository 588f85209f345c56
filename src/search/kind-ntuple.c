// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "ntuple/eval.h"
#include "ntuple/weights.h"
#include "search/kind.h"
#include "util/fail.h"

struct ntuple {
    struct weights weights;
    const struct ntuple_kernel *kernel;
};

static int is(const char *path) {
    (void)path;
    return 1; // the last kind asked; weights_open tells what is wrong with the rest
}

static int open(struct evaluator *e) {
    struct ntuple *n = calloc(1, sizeof *n);
    if (!n) return fail("out of memory");
    if (weights_open(&n->weights, e->path, WEIGHTS_PLAY)) return free(n), -1;
    n->kernel = ntuple_kernel_best();
    e->shape = &n->weights.layout->shape;
    e->own = n;
    return 0;
}

static void close(struct evaluator *e) {
    struct ntuple *n = e->own;
    if (!n) return;
    weights_close(&n->weights);
    free(n);
}

static int play(const struct player *self, const struct shape *shape, uint64_t p4,
                struct game *game, unsigned games) {
    const struct ntuple *n = ((const struct evaluator *)self->context)->own;
    (void)shape;
    n->kernel->greedy(n->weights.layout, n->weights.v, p4, game, games);
    return 0;
}

static int value(const struct evaluator *e, struct board after, double *to) {
    const struct ntuple *n = e->own;
    *to = (double)n->kernel->value(n->weights.layout, n->weights.v, after);
    return 0;
}

static int values(const struct evaluator *e, const struct board *after, unsigned many, double *to) {
    const struct ntuple *n = e->own;
    n->kernel->values(n->weights.layout, n->weights.v, after, many, to);
    return 0;
}

static uint64_t episodes(const struct evaluator *e) {
    return *((const struct ntuple *)e->own)->weights.episodes;
}

static unsigned stages(const struct evaluator *e) {
    return ((const struct ntuple *)e->own)->weights.layout->stages;
}

static unsigned stage(const struct evaluator *e, struct board b) {
    return layout_stage(((const struct ntuple *)e->own)->weights.layout, b);
}

const struct evaluator_kind kind_ntuple = {.name = "greedy n-tuple network",
                                           .noun = "n-tuple network",
                                           .is = is,
                                           .open = open,
                                           .close = close,
                                           .play = play,
                                           .batch = 32,
                                           .value = value,
                                           .values = values,
                                           .single = 1,
                                           .stages = stages,
                                           .stage = stage,
                                           .episodes = episodes};
