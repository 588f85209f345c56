// SPDX-License-Identifier: MIT
// Whole games by search, and how long their moves took.
#ifndef SEARCH_PLAYER_H
#define SEARCH_PLAYER_H

#include "search/search.h"

struct search_player;

struct search_player_spec {
    struct search_spec search; // its table is shared out among the games
    unsigned games; // how many threads play at a time; each has a search of its own
    int (*stopped)(void *context); // when it is not 0, games end after their move; NULL: never
    // Called after moves, by one thread at a time, with how many were made so far
    // in all games; may be NULL.
    void (*tell)(void *context, uint64_t moves);
    void *context;
};

// NULL on failure.
struct search_player *search_player_new(const struct search_player_spec *spec);
void search_player_free(struct search_player *p);

const struct player *search_player(const struct search_player *p);

// Over all moves that were searched.
struct search_player_sums {
    uint64_t moves, nodes, plies;
    double milliseconds;   // of all moves
    double p50, p99, most; // of a move: quantiles, and the longest
};
struct search_player_sums search_player_sums(const struct search_player *p);

#endif
