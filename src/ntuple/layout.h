// SPDX-License-Identifier: MIT
// Where each weight stands in memory.
//
// Reading weights is waiting for memory, so what is read together should lie
// together. Two tuples that share all cells but one (after turning one of
// them, which changes nothing) form a pair: the shared cells choose a row, and
// a row holds the weights of both, side by side for each value of the cell
// that differs. weights(5) describes the rule.
#ifndef NTUPLE_LAYOUT_H
#define NTUPLE_LAYOUT_H

#include "ntuple/network.h"

// A weight's index is base plus a number that is, for the tuple's cells in this
// order, scale times the value, plus scale times values times the next, and so
// on, with its upper bits folded into the lower ones.
//
// Small tiles are the most common, so that without the fold a few residues
// modulo a cache's size would be used by most look-ups and the rest of the
// cache by hardly any. The fold keeps each cache line together and is its own
// kind of order: different numbers stay different. It is left out where the
// number of values is no power of two, which spreads the lines already.
struct placing {
    uint32_t base;
    uint32_t scale;   // 1, or 2 in a pair
    uint32_t fold;    // which bits take part; 0: none
    unsigned n;
    uint8_t cell[MOST_TUPLE_CELLS]; // of the tuple, or of an image of it
};

enum { BLOCK = 8, GROUPS = 3 }; // features that are looked up at a time

// The same for eight features, as the vector unit takes it. The cells of a
// feature are picked from the board in groups of four, which make a number
// each: the first cell, c times the second, and so on. With sixteen values the
// first two groups are picked otherwise, so that packing nibbles does it.
struct block {
    _Alignas(32) uint8_t pick[GROUPS][32];
    uint32_t shift[8]; // of the scale
    uint32_t fold[8];
    uint32_t base[8];
    int follows; // all its weights lie beside those of an earlier block
};

// What a cell's exponent is in the tables of a split.
struct digits {
    unsigned values;
    uint8_t digit[32];
};

enum { FOLD = 9 };

static inline uint32_t layout_fold(uint32_t number, uint32_t fold) {
    return number ^ (number >> FOLD & fold);
}

struct layout {
    struct shape shape;
    unsigned values;
    float scale;           // what the stored numbers are multiplied by, a power of two
    unsigned features;     // look-ups of a board: tuples times splits times symmetries
    unsigned blocks, groups;
    unsigned splits;
    struct digits digits[MOST_SPLITS];
    int nibbles;           // sixteen values, no splits, at most 8 cells: digits are bits
    int mixed;             // a block has features of several splits
    unsigned stages;
    uint8_t flag[32];      // of each exponent; those of all cells together tell the stage
    uint8_t stage_of[256];
    uint64_t stage_weights; // of one stage, with padding
    uint64_t weights;      // in all
    // A table each split and, for that, each tuple.
    unsigned tables;
    unsigned partner[MOST_TABLES];        // the table itself where it has none
    struct placing table[MOST_TABLES];    // in an order of cells of our choice
    struct placing feature[MOST_TABLES * 8];
    struct block block[MOST_TABLES];
};

// NULL if memory runs out or the network has more than 2^32 weights.
struct layout *layout_new(const struct network *net);
void layout_free(struct layout *l);

// What a digit of each cell of the definition counts in the number that
// layout_fold takes. For dumps and imports; l->table[table] has base and fold,
// and table is the split times the number of tuples plus the tuple.
void layout_strides(const struct layout *l, const struct network *net, unsigned table,
                    uint32_t stride[MOST_TUPLE_CELLS]);

// The stage of an afterstate, as network_stage.
static inline unsigned layout_stage(const struct layout *l, struct board b) {
    unsigned flags = 0;
    if (l->stages == 1) return 0;
    for (unsigned i = 0; i < l->shape.cells; i++) flags |= l->flag[board_cell(b, i)];
    return l->stage_of[flags];
}

#endif
