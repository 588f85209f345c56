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

// Fills a header's shape and player for games that its player plays. 0, or -1 if
// the shape that the header has already, or the probability of a 4, is another
// than it is for.
int evaluator_header(const struct evaluator *e, struct episode_header *header);

// What it is.
const char *evaluator_noun(const struct evaluator *e);

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

// The values of n afterstates at once. 0, or -1 where one has none.
int evaluator_values(const struct evaluator *e, const struct board *after, unsigned n, double *to);

// Whether its values are expected scores, which a search can go on from. 0, or -1.
int evaluator_searchable(const struct evaluator *e);

// How many stages of the game it tells apart; and the stage that a board is in,
// from 0 on.
unsigned evaluator_stages(const struct evaluator *e);
unsigned evaluator_stage(const struct evaluator *e, struct board b);

#endif
