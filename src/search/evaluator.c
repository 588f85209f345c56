// SPDX-License-Identifier: MIT
#include "search/evaluator.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

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

int evaluator_wait(const struct evaluator *e, uint64_t episodes, const struct out *out) {
    // A learner answers within microseconds or not for long: first look often,
    // then let it work.
    for (unsigned tries = 0; evaluator_episodes(e) < episodes; tries++) {
        if (tries < 64) {
            sched_yield();
            continue;
        }
        if (tries % 64 == 0 && out_reader_gone(out)) return fail("%s: the learner has gone", out_name(out));
        nanosleep(&(struct timespec){0, 20000}, NULL);
    }
    return 0;
}

double evaluator_value(const struct evaluator *e, struct board after) {
    return (double)e->kernel->value(e->weights.layout, e->weights.v, after);
}
