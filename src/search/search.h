// SPDX-License-Identifier: MIT
// Expectimax: what each move of a state is worth when the player looks ahead.
//
// A search of one ply is greedy: reward and value of the afterstate. A search of
// d plies takes for the value of an afterstate what is expected when a tile has
// appeared and the best move by a search of d-1 plies is made. A state without a
// move is worth 0. Equal searches have equal answers to the last bit, whatever
// the threads and the table.
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "search/kernel.h"

struct search_spec {
    const struct evaluator *evaluator;
    unsigned plies;       // 1 to SEARCH_PLIES; with a time, the most
    double milliseconds;  // for a move; 0: no limit
    double p4;            // probability of a 4
    // Most plies of a move to an afterstate with so many empty cells, from 1 on;
    // inside a search, most plies that are left there, that move included.
    uint8_t limit[MOST_CELLS + 1];
    double cutoff;        // states that are less likely are not looked behind; 0: all are
    unsigned downgrade;   // exponent from which on tiles are downgraded; 0: never
    uint64_t table;       // bytes; less than TABLE_LEAST: none
    unsigned threads;     // for one state
};

struct search_answer {
    unsigned legal;    // bit 1 << move each; 0: the state is terminal
    enum move best;    // the first of equally good ones
    double value[4];   // of legal moves: reward, and what is expected after it
    unsigned plies;    // of the search
    uint64_t nodes;    // afterstates that were valued
    double milliseconds;
};

struct search;

// Copies the spec. NULL on failure.
struct search *search_new(const struct search_spec *spec);
void search_free(struct search *s);

// Searches a state. 0, or -1 where the evaluator has no value. Not for several
// threads at once.
int search_state(struct search *s, struct board state, struct search_answer *to);

// Between two moves with a time: lets other programs run, if it is their turn.
void search_rest(struct search *s);

// "0-3:4,4-7:3,8-:2", plies by number of empty cells, to limits; what is not
// named is not limited. 0, or -1 with the reason.
int search_parse_limit(const char *text, uint8_t limit[MOST_CELLS + 1]);

// The state as a search sees it: while its largest tile has this exponent or a
// larger one and a smaller tile is missing, all tiles above the largest missing
// one are halved.
struct board search_downgrade(const struct shape *shape, struct board state, unsigned exponent);

#endif
