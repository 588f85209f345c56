// SPDX-License-Identifier: MIT
// Network definitions: which cells the tuples look at. The text is described
// in net(5).
#ifndef NTUPLE_NETWORK_H
#define NTUPLE_NETWORK_H

#include <stddef.h>

#include "game/board.h"

enum {
    MOST_TUPLES = 64,
    MOST_TUPLE_CELLS = 12,
    MOST_VALUES = 18,
    MOST_SPLITS = 8,
    MOST_STAGE_TILES = 8,
    MOST_TABLES = 64, // tuples times splits
    NETWORK_TEXT = 1 << 16
};

struct tuple {
    unsigned n;
    uint8_t cell[MOST_TUPLE_CELLS];
};

// A range of values that are told apart: those below count as one, and those
// above; an empty cell stays what it is.
struct split {
    unsigned low, high;
};

struct network {
    struct shape shape;
    unsigned values; // a cell's value e counts as min(e, values - 1)
    unsigned splits; // 0: none
    struct split split[MOST_SPLITS];
    // Tiles (as exponents) that make stages, in rising order: each that is on
    // the board is a bit of the stage's number, or the largest one counts.
    unsigned stage_tiles, stage_tile[MOST_STAGE_TILES];
    int stage_bits;
    unsigned tuples;
    struct tuple tuple[MOST_TUPLES];
    char *text; // as read, for embedding; ends with a newline
    size_t size;
};

// Parses a definition; name is for messages. 0, or -1 with name and line.
int network_parse(struct network *net, const char *name, const char *text, size_t size);

// Reads and parses a file.
int network_load(struct network *net, const char *path);

void network_free(struct network *net);

// Whether two definitions say the same: all but comments and spaces.
int network_same(const struct network *a, const struct network *b);

// Tables that a tuple has in a stage: one a split, or one.
unsigned network_splits(const struct network *net);

// How many values a cell has in a split's tables, and what each exponent is there.
unsigned network_digits(const struct network *net, unsigned split, uint8_t digit[32]);

unsigned network_stages(const struct network *net);
unsigned network_stage(const struct network *net, struct board b);

// Look-ups of one board: tuples times splits times symmetries.
unsigned network_features(const struct network *net);

// Weights in all, for each stage, split and tuple its values^n. 0 if that does
// not fit 48 bits.
uint64_t network_parameters(const struct network *net);

#endif
