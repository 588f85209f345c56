// SPDX-License-Identifier: MIT
// The learning rules of n-tuple networks.
#ifndef NTUPLE_LEARN_H
#define NTUPLE_LEARN_H

#include "game/play.h"
#include "ntuple/weights.h"

enum learn_update { UPDATE_STANDARD, UPDATE_DELAYED, UPDATE_BACKWARD };

struct learn_rule {
    enum weights_rule accumulators; // RULE_NONE is TD, RULE_TC is temporal coherence;
                                    // RULE_AUTOSTEP has lambda 0 only
    enum learn_update update;
    double rate;    // alpha or beta; 1 would remove the whole error at once
    double lambda;
    unsigned horizon; // earlier afterstates that an error still reaches
    unsigned steps; // rewards before the value in a target; more than 1 with
                    // lambda 0 and not with UPDATE_STANDARD; 0 is 1
    double mu, tau; // of Autostep, both from 0 to 1: how fast step sizes adapt
                    // and how fast their norms decay
    // What follows depends on the moves that the weights have learned.
    double last_rate;    // the rate goes there in a straight line,
    uint64_t rate_moves; // over so many moves; 0: it stays
    uint64_t td_moves;   // before so many, TD instead of the rule above,
    double later_rate;   // which has this rate then
};

enum { MOST_HORIZON = 64, MOST_RETURN = 64 };

enum { LEARN_AHEAD = 4 }; // afterstates whose weights are being fetched

// The horizon beyond which lambda^k is below 0.1.
unsigned learn_horizon(double lambda);

// One episode: afterstates and the rewards of the moves that led to them.
struct learn_episode {
    const struct board *after;
    const uint32_t *reward;
    size_t n;
    int cut; // the game went on, so that the last afterstate has no target
};

struct learn_error {
    double sum;   // of absolute errors
    uint64_t n;
};

// What the hot loops work on; one a thread, all with the same weights.
struct learner {
    const struct layout *layout;
    uint16_t *v;
    int16_t *rest;
    struct accumulator *acc;
    struct step_size *sizes;
    struct learn_rule plan; // as given
    struct learn_rule rule; // as it is now
    float most_error; // larger ones mean that learning diverges
    float step;       // rate divided by the features and by the scale
    float power[MOST_HORIZON + 1]; // lambda^k
    uint32_t *index;  // a ring of indices of the latest afterstates
    uint8_t *stage;   // and of their stages
    int promote;      // weights that a stage has not used begin with those of the one before
    unsigned ring;    // its length, a power of two
    float *delta;     // and of their errors
    int (*learn)(struct learner *, const struct learn_episode *, struct learn_error *);
};

// 0, or -1 when memory runs out.
int learner_init(struct learner *l, const struct weights *w, const struct learn_rule *rule);
void learner_free(struct learner *l);

// Sets rule and rate for weights that have learned so many moves; to be called
// before each episode where they change.
void learner_look(struct learner *l, uint64_t moves);

// Learns from one episode and adds its errors. 0, or -1 when learning
// diverges; the weights keep what came before that step.
static inline int learner_learn(struct learner *l, const struct learn_episode *e,
                                struct learn_error *error) {
    return l->learn(l, e, error);
}

#endif
