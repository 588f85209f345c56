// SPDX-License-Identifier: MIT
// Episodes from a player, on several threads, in order.
#ifndef EPISODE_GENERATE_H
#define EPISODE_GENERATE_H

#include "episode/starts.h"

// Something that plays games to their end. Called by several threads at once.
struct player {
    // Plays n games from their boards; each has room for its steps. How many
    // there are changes nothing in any of them. p4 is scaled as in game/play.h.
    // Players of evaluators stray as often as a game's epsilon says. 0, or -1 after
    // a fail.
    int (*play)(const struct player *self, const struct shape *shape, uint64_t p4,
                struct game *game, unsigned n);
    unsigned batch; // games that a thread likes to be given at a time
    void *context;  // the player's own
};

// Uniformly random legal moves.
extern const struct player player_random;

struct generate {
    const struct player *player;
    uint64_t episodes;  // at most so many
    uint64_t moves;     // none is begun after so many
    unsigned threads;
    unsigned batch;     // games at a time; 0: as the player likes
    struct starts_spec starts;
    double epsilon;     // probability of a random move instead of the player's
    // When it is not 0, no game is begun any more, and games that are not over are
    // left out. NULL: never.
    int (*stopped)(void *context);
    // Called after each batch with the totals so far; may be NULL. 0, or -1.
    int (*tell)(void *context, uint64_t episodes, uint64_t moves);
    void *context;
};

// Writes a whole stream. Episode i is played with random stream (seed, i), so the
// output depends on the header, the starts, epsilon and the limits only. Sets the totals. 0, or -1 on
// failure; then what was written is no stream.
int episode_generate(const struct generate *g, const struct episode_header *header, struct out *out,
                     uint64_t *episodes, uint64_t *moves);

#endif
