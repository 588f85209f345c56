// SPDX-License-Identifier: MIT
// Episodes from a player, on several threads, in order.
#ifndef EPISODE_GENERATE_H
#define EPISODE_GENERATE_H

#include "episode/stream.h"

// Something that plays a game to its end. Called by several threads at once.
struct player {
    // Plays on from *b, writes the steps (at most MOST_STEPS) and returns
    // their number; *b becomes the last state. p4 is scaled as in game/play.h.
    size_t (*play)(const struct player *self, const struct shape *shape, struct rng *rng,
                   uint64_t p4, struct board *b, uint8_t *steps);
    unsigned batch; // episodes that a thread plays at a time
    void *context;  // the player's own
};

// Uniformly random legal moves.
extern const struct player player_random;

struct generate {
    const struct player *player;
    uint64_t episodes;  // at most so many
    uint64_t moves;     // none is begun after so many
    unsigned threads;
    // Called after each batch with the totals so far; may be NULL.
    void (*tell)(void *context, uint64_t episodes, uint64_t moves);
    void *context;
};

// Episode i is played with random stream (seed, i), so the output depends on
// the header and the limits only. Adds to the totals. 0, or -1 on failure.
int episode_generate(const struct generate *g, const struct episode_header *header,
                     struct episode_writer *w, uint64_t *episodes, uint64_t *moves);

#endif
