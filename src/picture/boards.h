// SPDX-License-Identifier: MIT
// Boards side by side, as an SVG picture.
#ifndef PICTURE_BOARDS_H
#define PICTURE_BOARDS_H

#include "game/board.h"
#include "picture/svg.h"

enum { BOARDS_CAPTIONS = 3, BOARDS_MOST = 1000 };

// One board; captions are lines below it, "" for none.
struct boards_item {
    unsigned rows, cols;
    struct board board;
    int fresh; // the cell of a tile that has just appeared, or -1
    char caption[BOARDS_CAPTIONS][TEXT_LINE];
};

// Set the first members; boards_add makes the rest, which boards_free frees.
struct boards {
    const char *title; // may be NULL
    unsigned tile;     // its size in pixels
    unsigned columns;  // boards in a row; 0: as many as look well
    struct boards_item *item;
    size_t n, room;
};

extern const struct svg_rule boards_rules[];

// Adds a copy of the board. 0, or -1 on failure.
int boards_add(struct boards *b, const struct boards_item *item);

// Draws them. 0, or -1 if there is none or they are too many for a row.
int boards_draw(const struct boards *b, struct out *out);

void boards_free(struct boards *b);

#endif
