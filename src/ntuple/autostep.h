// SPDX-License-Identifier: MIT
// A step size for each weight, learned by Autostep (Mahmood et al. 2012). For
// HOT files; plain C in all of them.
//
// The algorithm is for linear functions of features x. Here the weights are
// those that an afterstate finds, and x is how many of its look-ups find one.
#ifndef NTUPLE_AUTOSTEP_H
#define NTUPLE_AUTOSTEP_H

#include <float.h>

#include "ntuple/learn.h"
#include "ntuple/lookup.h"

// exp(x) for |x| <= 1, with the same bits on every machine, which the library's
// function does not promise.
static inline float autostep_exp(double x) {
    static const double part[] = {1. / 12, 1. / 11, 1. / 10, 1. / 9, 1. / 8, 1. / 7,
                                  1. / 6,  1. / 5,  1. / 4,  1. / 3, 1. / 2, 1};
    double y = 1;
    for (unsigned i = 0; i < sizeof part / sizeof *part; i++) y = 1 + x * part[i] * y;
    return (float)y;
}

// x of each feature's weight, 0 where an earlier feature found it. Only images
// of one tuple have weights in common.
static inline void autostep_times(const struct layout *l, const uint32_t *index, float *times) {
    unsigned images = l->shape.symmetries;
    for (unsigned f = 0; f < l->features; f++) {
        unsigned first = f - f % images;
        while (index[first] != index[f]) first++;
        times[f] = 0;
        times[first]++;
    }
}

// Adapts a step size to an error; returns what it contributes to the whole.
static inline float autostep_adapt(const struct learner *l, struct step_size *s, float x, float error) {
    float product = error * x * s->trace, size = fabsf(product);
    if (s->alpha == 0) s->alpha = l->step * l->layout->scale;
    float slow = s->norm + (float)l->rule.tau * s->alpha * (x * x) * (size - s->norm);
    s->norm = size > slow ? size : slow;
    if (s->norm > 0) s->alpha *= autostep_exp(l->rule.mu * (double)(product / s->norm));
    return s->alpha * (x * x);
}

static inline void autostep_update(const struct learner *l, const uint32_t *index, float error) {
    float times[MOST_FEATURES], whole = 0;
    unsigned n = l->layout->features;
    autostep_times(l->layout, index, times);
    for (unsigned f = 0; f < n; f++)
        if (times[f] > 0) whole += autostep_adapt(l, &l->sizes[index[f]], times[f], error);
    for (unsigned f = 0; f < n; f++) {
        float x = times[f];
        if (!(x > 0)) continue;
        struct step_size *s = &l->sizes[index[f]];
        // No more than the whole error is removed at once.
        if (whole > 1) s->alpha /= whole;
        if (s->alpha < FLT_MIN) s->alpha = FLT_MIN; // 0 would mean that it was never used
        float change = s->alpha * x * error, left = 1 - s->alpha * (x * x);
        s->trace = s->trace * (left > 0 ? left : 0) + change;
        half_split(half_join(l->v[index[f]], l->rest[index[f]]) + change / l->layout->scale,
                   &l->v[index[f]], &l->rest[index[f]]);
    }
}

#endif
