// SPDX-License-Identifier: MIT
// Sets of strictly increasing 64-bit numbers, packed: the .ef file, ef(5).
//
// A set is written in one pass, in segments; each segment is in the codec that
// makes it smaller, or in the one asked for. Mapped, it answers which number is
// the i-th and at which place a number stands without unpacking the rest.
#ifndef SOLVE_SET_H
#define SOLVE_SET_H

#include <stddef.h>
#include <stdint.h>

#include "solve/packed.h"

enum {
    SET_SEGMENT = PACKED_SEGMENT, // numbers of a segment; the last may have fewer
    SET_BLOCK = PACKED_BLOCK,     // numbers that are unpacked together
    SET_NOTES = PACKED_NOTES,     // numbers that a writer may leave for its readers
};

enum set_codec { SET_GAPS, SET_ELIAS_FANO, SET_SMALLEST };
extern const char *const set_codecs[]; // their names, NULL-terminated

struct set_writer;

// Writes through sink, which returns 0 or -1 after a fail. NULL on failure.
struct set_writer *set_create(enum set_codec codec, int (*sink)(void *, const void *, size_t),
                              void *context);
// Adds numbers above all before. 0, or -1 on failure; the first one sticks.
int set_add(struct set_writer *w, const uint64_t *ids, size_t n);
// Completes the set. Frees the writer in any case, as set_abandon does.
int set_finish(struct set_writer *w, const uint64_t notes[SET_NOTES]);
void set_abandon(struct set_writer *w);

struct set;

// Opens a file, or bytes that stay the caller's. All checksums are compared, so
// that what follows cannot fail. NULL on failure. Threads may share a set.
struct set *set_open(const char *path);
struct set *set_view(const void *bytes, size_t n, const char *name);
void set_close(struct set *set);

uint64_t set_count(const struct set *set);
uint64_t set_first(const struct set *set); // of an empty set: 0
uint64_t set_last(const struct set *set);
uint64_t set_bytes(const struct set *set);
const uint64_t *set_notes(const struct set *set);

// How many segments are in this codec.
uint64_t set_segments(const struct set *set, enum set_codec codec);

// Unpacks numbers SET_BLOCK * block and following; returns how many there are.
size_t set_block(const struct set *set, uint64_t block, uint64_t ids[SET_BLOCK]);

// The place of a number from 0, or -1 if it is not in the set.
int64_t set_rank(const struct set *set, uint64_t id);

// How many numbers of the set are below id.
uint64_t set_below(const struct set *set, uint64_t id);

#endif
