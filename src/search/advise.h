// SPDX-License-Identifier: MIT
// Boards as text in, what their moves are worth out, line by line.
#ifndef SEARCH_ADVISE_H
#define SEARCH_ADVISE_H

#include "search/search.h"
#include "util/in.h"
#include "util/out.h"

// Answers each line before the next is read, with a line of its own whatever it
// is. *boards counts the answers with moves. 0, or -1 on failure; also, in the
// end, if a line was no board of this shape.
int advise_lines(struct in *in, struct out *out, struct search *s, const struct shape *shape,
           uint64_t *boards);

// Why a game never comes to this state; NULL if it may.
const char *advise_impossible(const struct shape *shape, struct board state);

#endif
