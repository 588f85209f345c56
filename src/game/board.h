// SPDX-License-Identifier: MIT
// Boards of any shape with 2 to 16 cells, and the rules of the game.
//
// A cell holds an exponent: 0 is empty, e is the tile 2^e. Cells are numbered
// row by row from the top left.
#ifndef GAME_BOARD_H
#define GAME_BOARD_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_CELLS = 16, MOST_EXPONENT = 17, BOARD_TEXT = 128 };

// The low four bits of cell i stand at bits 4i of lo, the fifth bit at bit 4i
// of hi. Only tiles of 65536 and more need hi, so fast paths test it once.
struct board {
    uint64_t lo, hi;
};

enum move { LEFT, UP, RIGHT, DOWN };
extern const char *const move_names[4];

// A board's shape with all that is derived from it. Make it with shape_init;
// it is constant afterwards and may be shared by threads.
struct shape {
    unsigned rows, cols, cells;
    uint64_t all;           // bit 4i for every cell i
    // Index 0 is along rows (left, right), 1 along columns (up, down).
    unsigned stride[2];     // bits from a cell to its next one in the line
    uint64_t pairs[2];      // bit 4i where cell i has a next one
    unsigned lines;         // how many entries of line[] are in use, in both
    unsigned length[2];     // cells of a line
    uint64_t line[2][16];   // the nibbles of each line; 0 pads the shorter list
    // For lines of at most 4 cells: the line after the move in the low half,
    // a quarter of the reward in the high half. One table a direction; NULL
    // for longer lines. Shared by all shapes, never freed.
    const uint32_t *table[4];
    unsigned symmetries;            // how many different ones there are
    uint8_t symmetry[8][MOST_CELLS]; // image[i] = original[symmetry[k][i]]
    const struct kernel *kernel;    // the machine's best rules
};

// 0, or -1 if the shape has fewer than 2 or more than 16 cells.
int shape_init(struct shape *shape, unsigned rows, unsigned cols);

// "RxC" to numbers, as -b takes it: 0, or -1 with the reason.
int shape_parse(const char *text, struct shape *shape);

static inline unsigned board_cell(struct board b, unsigned i) {
    return (unsigned)(b.lo >> 4 * i & 15) | (unsigned)(b.hi >> 4 * i & 1) << 4;
}

static inline struct board board_put(struct board b, unsigned i, unsigned exponent) {
    b.lo = (b.lo & ~((uint64_t)15 << 4 * i)) | (uint64_t)(exponent & 15) << 4 * i;
    b.hi = (b.hi & ~((uint64_t)1 << 4 * i)) | (uint64_t)(exponent >> 4) << 4 * i;
    return b;
}

static inline int board_equal(struct board a, struct board b) {
    return a.lo == b.lo && a.hi == b.hi;
}

// Slides and merges; returns the reward. *after equals b if the move is illegal.
uint32_t board_slide(const struct shape *shape, struct board b, enum move move,
                     struct board *after);

// The legal moves, bit 1 << move each. 0: the state is terminal.
unsigned board_legal(const struct shape *shape, struct board b);

// Empty cells, bit 4i each.
uint64_t board_empty(const struct shape *shape, struct board b);

// The sum of the tiles.
uint64_t board_age(const struct shape *shape, struct board b);

// What the tiles would have scored if every one was merged from 2-tiles. A
// slide's reward is the difference that it makes; a 4 that appears adds 4.
uint64_t board_potential(const struct shape *shape, struct board b);

// The largest exponent.
unsigned board_max(const struct shape *shape, struct board b);

// The image under symmetry k, and the smallest image of all (compared as the
// number hi:lo), which is the same for all boards that symmetry unifies.
struct board board_image(const struct shape *shape, struct board b, unsigned k);
struct board board_normal(const struct shape *shape, struct board b);

// Text is tile numbers with commas, rows separated by /: "2,0,0,4/0,0,...".
// Reading allows spaces around numbers, and . for an empty cell.
// board_text returns to; board_parse 0, or -1 with the reason alone.
char *board_text(const struct shape *shape, struct board b, char to[BOARD_TEXT]);
int board_parse(const struct shape *shape, const char *text, struct board *to);

#endif
