// SPDX-License-Identifier: MIT
// The stream of sorted IDs that commands pass on; ids(5).
#ifndef SOLVE_IDS_STREAM_H
#define SOLVE_IDS_STREAM_H

#include <stdint.h>

#include "solve/set.h"
#include "util/in.h"
#include "util/out.h"

struct ids_reader;

// Reads the header; the reader does not own in. NULL on failure.
struct ids_reader *ids_open(struct in *in);
void ids_close(struct ids_reader *r);

// Up to most numbers, strictly increasing over all calls. How many; 0 at the
// end of a complete stream, -1 on failure.
int64_t ids_read(struct ids_reader *r, uint64_t *ids, size_t most);

struct ids_writer {
    struct out *out;
    uint64_t n;
    uint32_t crc;
};

// 0, or -1 on failure. The writer does not own out.
int ids_create(struct ids_writer *w, struct out *out);
int ids_write(struct ids_writer *w, const uint64_t *ids, size_t n);
int ids_finish(struct ids_writer *w);

// A whole stream: all of a set.
int ids_stream_put_set(struct out *out, const struct set *set);

#endif
