// SPDX-License-Identifier: MIT
#include "search/evaluator.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "search/kind.h"
#include "util/fail.h"

static const struct evaluator_kind *const kinds[] = {&kind_solution, &kind_ntuple};

struct evaluator *evaluator_open(const char *path) {
    struct evaluator *e = calloc(1, sizeof *e);
    if (!e || !(e->path = strdup(path))) return free(e), fail("out of memory"), NULL;
    unsigned i = 0;
    while (!kinds[i]->is(path)) i++;
    e->kind = kinds[i];
    e->p4 = NAN;
    e->player = (struct player){e->kind->play, e->kind->batch, e};
    if (e->kind->open(e) == 0) return e;
    evaluator_close(e);
    return NULL;
}

void evaluator_close(struct evaluator *e) {
    if (!e) return;
    e->kind->close(e);
    free(e->path);
    free(e);
}

const struct shape *evaluator_shape(const struct evaluator *e) { return e->shape; }
const char *evaluator_noun(const struct evaluator *e) { return e->kind->noun; }
const struct player *evaluator_player(const struct evaluator *e) { return &e->player; }

int evaluator_header(const struct evaluator *e, struct episode_header *header) {
    const struct shape *ours = e->shape, *theirs = &header->shape;
    if (theirs->cells && (theirs->rows != ours->rows || theirs->cols != ours->cols))
        return fail("%s: is for %ux%u boards, not %ux%u", e->path, ours->rows, ours->cols, theirs->rows,
                    theirs->cols);
    if (e->p4 < header->p4 || e->p4 > header->p4)
        return fail("%s: is solved with --p4 %g, not %g", e->path, e->p4, header->p4);
    header->shape = *ours;
    snprintf(header->player, sizeof header->player, "%s", e->kind->name);
    return 0;
}

int evaluator_episodes(const struct evaluator *e, uint64_t *episodes) {
    if (!e->kind->episodes) return fail("%s: nothing learns a solved board", e->path);
    *episodes = e->kind->episodes(e);
    return 0;
}

int evaluator_wait(const struct evaluator *e, uint64_t episodes, const struct out *out) {
    uint64_t learned = 0;
    // A learner answers within microseconds or not for long: first look often,
    // then let it work.
    for (unsigned tries = 0;; tries++) {
        if (evaluator_episodes(e, &learned)) return -1;
        if (learned >= episodes) return 0;
        if (tries < 64) {
            sched_yield();
            continue;
        }
        if (tries % 64 == 0 && out_reader_gone(out)) return fail("%s: the learner has gone", out_name(out));
        nanosleep(&(struct timespec){0, 20000}, NULL);
    }
}

int evaluator_value(const struct evaluator *e, struct board after, double *value) {
    return e->kind->value(e, after, value);
}

int evaluator_values(const struct evaluator *e, const struct board *after, unsigned n, double *to) {
    if (e->kind->values) return e->kind->values(e, after, n, to);
    for (unsigned i = 0; i < n; i++)
        if (e->kind->value(e, after[i], &to[i])) return -1;
    return 0;
}

int evaluator_searchable(const struct evaluator *e) {
    return e->kind->searchable ? e->kind->searchable(e) : 0;
}

unsigned evaluator_stages(const struct evaluator *e) { return e->kind->stages ? e->kind->stages(e) : 1; }

unsigned evaluator_stage(const struct evaluator *e, struct board b) {
    return e->kind->stage ? e->kind->stage(e, b) : 0;
}
