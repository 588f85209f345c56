// SPDX-License-Identifier: MIT
// An evaluator is a file: whatever -w names, a command plays with it and does
// not care what is inside.
#ifndef SEARCH_EVALUATOR_H
#define SEARCH_EVALUATOR_H

#include "episode/generate.h"

struct evaluator;

// Opens a weights file, told by its first bytes. NULL on failure.
struct evaluator *evaluator_open(const char *path);
void evaluator_close(struct evaluator *e);

const struct shape *evaluator_shape(const struct evaluator *e);

// What it is, for the header of episodes.
const char *evaluator_name(const struct evaluator *e);

// The greedy player by it.
const struct player *evaluator_player(const struct evaluator *e);

// Episodes that learners have applied to it so far.
uint64_t evaluator_episodes(const struct evaluator *e);

// The value of an afterstate.
double evaluator_value(const struct evaluator *e, struct board after);

#endif
