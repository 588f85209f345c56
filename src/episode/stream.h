// SPDX-License-Identifier: MIT
// The episode stream: games as a start board and one byte a step. The format
// is described in episode(5).
#ifndef EPISODE_STREAM_H
#define EPISODE_STREAM_H

#include <stdint.h>

#include "game/play.h"
#include "util/in.h"
#include "util/out.h"

enum { EPISODE_PLAYER = 200 }; // longest name of a player

struct episode_header {
    struct shape shape;
    double p4;    // probability that a new tile is a 4
    uint64_t seed;
    char player[EPISODE_PLAYER + 1]; // what chose the moves; printable ASCII
};

enum episode_start { START_NORMAL, START_GIVEN, START_RESTART, START_CAROUSEL, START_JUMP, STARTS };
extern const char *const episode_starts[STARTS];

struct episode {
    struct board start;
    enum episode_start how; // how the start board came about
    int cut;                // 1 if it stops before the game is over
    uint32_t steps;
    const uint8_t *step;
    uint64_t number;        // in its input, from 1; set when reading
};

// What a replay finds out.
struct episode_result {
    struct board end;
    uint64_t score;
    unsigned max; // the largest exponent
};

// Whether the start board could have come about in the way it claims: no tile
// above the largest, and for a normal start two tiles, each 2 or 4.
int episode_plausible(const struct shape *shape, const struct episode *e);

struct episode_reader;

// Reads the first header; the reader does not own in. NULL on failure.
struct episode_reader *episode_open(struct in *in);
void episode_close(struct episode_reader *r);

// The header that the episodes read last belong to. Streams may follow one
// another; all have the same shape.
const struct episode_header *episode_header(const struct episode_reader *r);

// The next episode, its checksum verified; e->step is valid until the next call.
// 1: an episode, 0: the end (of complete streams), -1: failure.
int episode_read(struct episode_reader *r, struct episode *e);

// As episode_read, but also returns 2 where one stream ended and the header of
// the next has been read.
int episode_next(struct episode_reader *r, struct episode *e);

// Replays an episode that was read and checks every step. 0, or -1 on failure.
// Another thread may be reading meanwhile.
int episode_replay(const struct episode_reader *r, const struct episode *e,
                   struct episode_result *result);

// The same, keeping every afterstate and reward: arrays of e->steps elements.
int episode_trace(const struct episode_reader *r, const struct episode *e, struct board *after,
                  uint32_t *reward);

// The score of an episode that ends in the given state with so many 4s.
uint64_t episode_score(const struct shape *shape, struct board start, struct board end,
                       uint32_t fours);

struct episode_writer;

// Writes the header; the writer does not own out. NULL on failure.
struct episode_writer *episode_create(struct out *out, const struct episode_header *header);
int episode_write(struct episode_writer *w, const struct episode *e);

// Writes the trailer and frees the writer. 0, or -1 on failure.
int episode_finish(struct episode_writer *w);

// Frees the writer without a trailer, so that what was written is no stream.
void episode_abandon(struct episode_writer *w);

#endif
