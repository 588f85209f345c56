// SPDX-License-Identifier: MIT
// An evaluator is a file: whatever -w names, a command plays with it and does
// not care what is inside.
#ifndef SEARCH_EVALUATOR_H
#define SEARCH_EVALUATOR_H

#include "episode/generate.h"

struct evaluator;

// Opens a weights file; or a solution's directory, or the folder of other values
// in it, if it is solved to the end. NULL on failure.
struct evaluator *evaluator_open(const char *path);
void evaluator_close(struct evaluator *e);

const struct shape *evaluator_shape(const struct evaluator *e);

// The probability of a 4 that its values are for; NAN if they are for any.
double evaluator_p4(const struct evaluator *e);

// What it is, for the header of episodes.
const char *evaluator_name(const struct evaluator *e);

// Who plays by it: the best move as it sees them, the first of equals.
const struct player *evaluator_player(const struct evaluator *e);

// Episodes that learners have applied to it so far. 0, or -1 if it is of a kind
// that nothing learns.
int evaluator_episodes(const struct evaluator *e, uint64_t *episodes);

// Waits until learners have applied this many episodes to it in all, or until
// whoever reads out has gone. 0, or -1 in the latter case and as above.
int evaluator_wait(const struct evaluator *e, uint64_t episodes, const struct out *out);

// The value of an afterstate. 0, or -1 where it has none.
int evaluator_value(const struct evaluator *e, struct board after, double *value);

#endif
