// SPDX-License-Identifier: MIT
#include "ntuple/learn.h"

#include <math.h>
#include <stdlib.h>

#include "ntuple/lookup.h"
#include "util/cpu.h"
#include "util/fail.h"

int learn_episode_plain(struct learner *, const struct learn_episode *, struct learn_error *);
#ifdef WITH_V3
int learn_episode_v3(struct learner *, const struct learn_episode *, struct learn_error *);
#endif

unsigned learn_horizon(double lambda) {
    if (lambda <= 0) return 0;
    if (lambda >= 1) return MOST_HORIZON;
    double h = ceil(log(0.1) / log(lambda)) - 1;
    return h < 0 ? 0 : h > MOST_HORIZON ? MOST_HORIZON : (unsigned)h;
}

static double rate_at(const struct learn_rule *r, uint64_t moves) {
    if (r->td_moves && moves >= r->td_moves) return r->later_rate;
    if (!r->rate_moves) return r->rate;
    double part = moves < r->rate_moves ? (double)moves / (double)r->rate_moves : 1;
    return r->rate + (r->last_rate - r->rate) * part;
}

void learner_look(struct learner *l, uint64_t moves) {
    l->rule.accumulators = moves < l->plan.td_moves ? RULE_NONE : l->plan.accumulators;
    l->rule.rate = rate_at(&l->plan, moves);
    l->step = (float)(l->rule.rate / l->layout->features / (double)l->layout->scale);
}

int learner_init(struct learner *l, const struct weights *w, const struct learn_rule *rule) {
    *l = (struct learner){.layout = w->layout, .v = w->v, .rest = w->rest, .acc = w->acc, .sizes = w->sizes};
    l->plan = l->rule = *rule;
    learner_look(l, *w->moves);
    l->most_error = HALF_MOST * w->layout->scale;
    l->power[0] = 1;
    for (unsigned k = 1; k <= MOST_HORIZON; k++) l->power[k] = l->power[k - 1] * (float)rule->lambda;
    // The ring holds what may still be updated and what is fetched ahead; no
    // more, so that it stays in the first cache.
    unsigned far = rule->horizon > rule->steps ? rule->horizon : rule->steps;
    l->ring = 1;
    while (l->ring < far + 2 + LEARN_AHEAD) l->ring *= 2;
    size_t row = (size_t)w->layout->blocks * BLOCK;
    l->index = aligned_alloc(64, (l->ring * row * sizeof *l->index + 63) / 64 * 64);
    l->delta = calloc(l->ring, sizeof *l->delta);
    l->stage = calloc(l->ring, sizeof *l->stage);
    l->promote = weights_promoted(w);
    l->learn = learn_episode_plain;
#ifdef WITH_V3
    if (cpu_best() == CPU_V3) l->learn = learn_episode_v3;
#endif
    if (l->index && l->delta && l->stage) return 0;
    learner_free(l);
    return fail("out of memory for a learner");
}

void learner_free(struct learner *l) {
    free(l->index);
    free(l->delta);
    free(l->stage);
}
