// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
//
// Afterstates are numbered from 0. The error of afterstate t is the next
// reward plus the next value minus its own value; that of the last one is
// minus its value, since nothing more is scored.
#include <math.h>

#include "ntuple/learn.h"
#include "ntuple/lookup.h"
#include "util/cpu.h"
#include "util/fail.h"

enum { AHEAD = 4 }; // afterstates whose weights are being fetched

static inline uint32_t *ring_at(const struct learner *l, size_t t) {
    return l->index + t % l->ring * (l->layout->blocks * BLOCK);
}

// Computes the indices of afterstate t and asks for its weights.
static inline void fetch(const struct learner *l, const struct learn_episode *e, size_t t) {
    if (t >= e->n) return;
    uint32_t *index = ring_at(l, t);
    lookup_all(l->layout, e->after[t], index);
    unsigned n = l->layout->features;
    for (unsigned i = 0; i < n; i++) __builtin_prefetch(l->v + index[i], 1);
    if (l->rule.accumulators != RULE_NONE)
        for (unsigned i = 0; i < n; i++) __builtin_prefetch(l->acc + index[i], 1);
}

static inline float value_at(const struct learner *l, size_t t) {
    return lookup_sum(l->layout, l->v, ring_at(l, t));
}

static inline void update_td(const struct learner *l, const uint32_t *index, float error) {
    float step = l->step * error;
    for (unsigned i = 0, n = l->layout->features; i < n; i++) l->v[index[i]] += step;
}

// The rate of each weight is |sum of errors| / sum of |errors|. The factor is
// for errors that reach back: they move the weight less, but count in full.
static inline void update_tc(const struct learner *l, const uint32_t *index, float error,
                             float factor) {
    float step = l->step * (error * factor), magnitude = fabsf(error);
    for (unsigned i = 0, n = l->layout->features; i < n; i++) {
        struct accumulator *a = &l->acc[index[i]];
        float sum = a->sum, total = a->magnitude;
        float rate = total != 0 ? fabsf(sum) / total : 1;
        l->v[index[i]] += step * rate;
        a->sum = sum + error;
        a->magnitude = total + magnitude;
    }
}

static inline void update(const struct learner *l, size_t t, float error, float factor) {
    if (l->rule.accumulators == RULE_NONE)
        update_td(l, ring_at(l, t), error * factor);
    else
        update_tc(l, ring_at(l, t), error, factor);
}

// The error of afterstate t with the weights as they are now.
static inline float error_at(const struct learner *l, const struct learn_episode *e, size_t t) {
    float next = t + 1 < e->n ? (float)e->reward[t + 1] + value_at(l, t + 1) : 0;
    return next - value_at(l, t);
}

static inline int count_error(struct learn_error *error, float delta) {
    if (!isfinite(delta)) return fail("a value is infinite or not a number: the rate is too high");
    error->sum += fabs((double)delta);
    error->n++;
    return 0;
}

// Paper 003, Algorithms 1 and 2: every error updates the afterstates that the
// horizon reaches, at once.
static int learn_standard(struct learner *l, const struct learn_episode *e, size_t n,
                          struct learn_error *error) {
    for (size_t t = 0; t < AHEAD; t++) fetch(l, e, t);
    for (size_t t = 0; t < n; t++) {
        fetch(l, e, t + AHEAD);
        float delta = error_at(l, e, t);
        if (count_error(error, delta)) return -1;
        for (unsigned k = 0; k <= l->rule.horizon && k <= t; k++)
            update(l, t - k, delta, l->power[k]);
    }
    return 0;
}

// Algorithms 3 and 4: an afterstate is updated once, when all errors that
// reach it are known.
static inline void settle(const struct learner *l, size_t t, size_t last) {
    float sum = 0;
    for (size_t k = 0; t + k <= last && k <= l->rule.horizon; k++)
        sum += l->delta[(t + k) % l->ring] * l->power[k];
    update(l, t, sum, 1);
}

static int learn_delayed(struct learner *l, const struct learn_episode *e, size_t n,
                         struct learn_error *error) {
    size_t h = l->rule.horizon;
    for (size_t t = 0; t < AHEAD; t++) fetch(l, e, t);
    for (size_t t = 0; t < n; t++) {
        fetch(l, e, t + AHEAD);
        float delta = error_at(l, e, t);
        if (count_error(error, delta)) return -1;
        l->delta[t % l->ring] = delta;
        if (t >= h) settle(l, t - h, t);
    }
    for (size_t t = n > h ? n - h : 0; t < n; t++) settle(l, t, n - 1);
    return 0;
}

// From the end: each target is the lambda return of what was updated already.
static int learn_backward(struct learner *l, const struct learn_episode *e, size_t n,
                          struct learn_error *error) {
    float mix = (float)l->rule.lambda, target = 0;
    // A cut game's last afterstate is a target only.
    if (e->cut && e->n > n) {
        fetch(l, e, n);
        target = (float)e->reward[n] + value_at(l, n);
    }
    for (size_t i = 0; i < AHEAD && i < n; i++) fetch(l, e, n - 1 - i);
    for (size_t t = n; t-- > 0;) {
        if (t >= AHEAD) fetch(l, e, t - AHEAD);
        float delta = target - value_at(l, t);
        if (count_error(error, delta)) return -1;
        update(l, t, delta, 1);
        target = (float)e->reward[t] + (1 - mix) * value_at(l, t) + mix * target;
    }
    return 0;
}

int CPU_NAME(learn_episode)(struct learner *l, const struct learn_episode *e,
                            struct learn_error *error) {
    size_t n = e->n - (e->cut && e->n > 0);
    switch (l->rule.update) {
    case UPDATE_STANDARD: return learn_standard(l, e, n, error);
    case UPDATE_DELAYED: return learn_delayed(l, e, n, error);
    case UPDATE_BACKWARD: return learn_backward(l, e, n, error);
    }
    return 0;
}
