// SPDX-License-Identifier: MIT
// Weights files, mapped and shared: players read them while learners write.
// The format is described in weights(5).
#ifndef NTUPLE_WEIGHTS_H
#define NTUPLE_WEIGHTS_H

#include <stdatomic.h>

#include "ntuple/layout.h"
#include "util/out.h"

// What a learner keeps for one weight, side by side: with temporal coherence the
// sums of errors and of their magnitudes, with Autostep the step size and what
// it is learned from (ntuple/autostep.h). All are 0 for a weight never learned.
struct accumulator {
    float sum, magnitude;
};
struct step_size {
    float alpha, trace, norm;
};

enum weights_mode { WEIGHTS_PLAY, WEIGHTS_LEARN, WEIGHTS_ALONE };
enum weights_rule { RULE_NONE, RULE_TC, RULE_AUTOSTEP };

struct weights {
    char *path;
    struct network net;
    struct layout *layout;
    uint16_t *v;              // first halves, all that players read (ntuple/half.h)
    int16_t *rest;            // second halves
    struct accumulator *acc;  // NULL until weights_accumulate with RULE_TC
    struct step_size *sizes;  // the same with RULE_AUTOSTEP
    _Atomic uint64_t *moves;  // learned so far, by all learners
    _Atomic uint64_t *episodes;
    struct weights_map *map;  // how the file is held
};

struct weights_info {
    uint64_t parameters, bytes;
    double init;
    uint64_t moves, episodes;
    int clean;    // closed properly after the last learning
    int busy;     // somebody is learning right now
    enum weights_rule rule; // what the accumulators hold
    int promoted; // later stages begin with the weights of the stage before
};

// Bytes that a file takes without accumulators, and with those of a rule.
uint64_t weights_bytes(const struct network *net, const struct layout *l);
uint64_t weights_learner_bytes(const struct network *net, const struct layout *l, enum weights_rule rule);

// Writes a new file with the given weights (in the layout's order, padding
// included); with NULL every board's value is init. 0, or -1, also if a weight
// is too large.
int weights_create(const char *path, const struct network *net, double init, const float *v);

// The same, with counts of what the weights have learned from.
int weights_create_learned(const char *path, const struct network *net, double init, const float *v,
                           uint64_t moves, uint64_t episodes);

// Maps a file. WEIGHTS_LEARN may be shared with other learners, WEIGHTS_ALONE
// may not. Checks the header, the size, and that no weight is infinite or not
// a number. 0, or -1.
int weights_open(struct weights *w, const char *path, enum weights_mode mode);

// Makes sure that the file has accumulators for the rule. 0, or -1.
int weights_accumulate(struct weights *w, enum weights_rule rule);

// Sets all accumulators to zero, while others may learn.
void weights_reset(struct weights *w);

// Marks the weights of all stages but the first as unused, so that each begins
// with that of the stage before; nothing if that was done already. 0, or -1 if
// something was learned without it.
int weights_promote(struct weights *w);

int weights_promoted(const struct weights *w);

// The whole weights of a stage. For later ones v holds those of the stage before,
// which stay where a weight is unused: ask for all stages in order.
void weights_read(const struct weights *w, unsigned stage, float *v);

// Unmaps. The last learner to leave writes the checksum. 0, or -1.
int weights_close(struct weights *w);

// A complete copy in another file, put in place when whole and synced. 0, or -1.
int weights_snapshot(const struct weights *w, const char *path);

// For files that are open for play: it tries the lock.
struct weights_info weights_info(const struct weights *w);

// Compares all checksums; finds weights that are no numbers. 0, or -1.
int weights_verify(const struct weights *w);

// Whether a file is one: its first bytes.
int weights_magic(const uint8_t *bytes, size_t n);

#endif
