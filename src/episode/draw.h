// SPDX-License-Identifier: MIT
// Boards drawn for a terminal.
#ifndef EPISODE_DRAW_H
#define EPISODE_DRAW_H

#include "game/board.h"
#include "util/out.h"

// Draws a board, one line a row, each tile seven columns wide, in colour or
// with plain characters. 0, or -1 on failure.
int draw_board(struct out *out, const struct shape *shape, struct board b, int colour);

#endif
