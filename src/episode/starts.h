// SPDX-License-Identifier: MIT
// Where episodes start: anew, or where earlier ones came to.
//
// What episode i starts from depends on i, its random stream, and on episodes up
// to i - lines, never on later ones. So as many episodes as there are lines can
// be played at the same time, and their order alone determines the starts.
#ifndef EPISODE_STARTS_H
#define EPISODE_STARTS_H

#include "episode/stream.h"

enum {
    STARTS_LINES = 256, // a power of two: batches of every size fit
    STARTS_SHORT = 10,  // plays of so many moves are not restarted, unless asked for
    STARTS_KEPT = 1000, // first states that are kept of each stage
    STARTS_TEXT = 32,
};

enum starts_jump { JUMP_NONE, JUMP_S, JUMP_L };

// All 0 is a normal start.
struct starts_spec {
    const struct board *from; // all episodes start with this board; NULL: as below
    enum starts_jump jump;    // a new game may begin with large tiles
    // If not 0: each line goes on from the middle of its last play, or with a new
    // game if that had no more moves than this.
    uint32_t restart;
    int carousel;             // start in each stage in turn
    unsigned stages;          // for the carousel: stage(context, state) is below it
    unsigned (*stage)(const void *context, struct board state);
    const void *context;
    unsigned lines;           // 0: STARTS_LINES
};

// "normal", "restart", "restart:MIN", "carousel", "jump-s", "jump-l", or a jump and
// a restart joined by +. Leaves the rest of *to as it is. 0, or -1 with the reason.
int starts_parse(const char *text, struct starts_spec *to);

// The same text for the same starts; "normal" for what is not of these.
const char *starts_text(const struct starts_spec *spec, char to[STARTS_TEXT]);

// Whether a board of this shape can come to the tiles of the starts. 0, or -1.
int starts_fit(const struct starts_spec *spec, const struct shape *shape);

struct starts;

// p4 is scaled as in game/play.h. NULL on failure.
struct starts *starts_new(const struct starts_spec *spec, const struct shape *shape, uint64_t p4);
void starts_free(struct starts *s);

// How many episodes can be begun before the first of them has ended.
uint64_t starts_lines(const struct starts *s);

// The start of episode i, and how it came about. Every i is taken once, by any
// thread: it waits until all before i are taken and episode i - lines has left.
enum episode_start starts_take(struct starts *s, uint64_t i, struct rng *rng, struct board *start);

// Episode i, which was taken, has ended after these steps.
void starts_leave(struct starts *s, uint64_t i, struct board start, const uint8_t *step, size_t steps);

#endif
