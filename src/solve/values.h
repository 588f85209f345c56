// SPDX-License-Identifier: MIT
// Values of an age's afterstates in the order of their IDs, packed; values(5).
//
// A value is a whole number of steps of 2^-precision. Like a set it is written
// in one pass and answers for any place by unpacking one block.
#ifndef SOLVE_VALUES_H
#define SOLVE_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "solve/packed.h"

enum { VALUES_BLOCK = PACKED_BLOCK, VALUES_SEGMENT = PACKED_SEGMENT };

struct values_writer;

// As set_create: sink returns 0 or -1 after a fail. NULL on failure.
struct values_writer *values_create(unsigned precision, int (*sink)(void *, const void *, size_t),
                                    void *context);
// Adds values below 2^62. 0, or -1 on failure; the first one sticks.
int values_add(struct values_writer *w, const uint64_t *steps, size_t n);
int values_finish(struct values_writer *w);
void values_abandon(struct values_writer *w);

struct values;

// Opens a file; checksums are compared. NULL on failure. Threads may share it.
struct values *values_open(const char *path);
void values_close(struct values *v);

uint64_t values_count(const struct values *v);
uint64_t values_bytes(const struct values *v);
unsigned values_precision(const struct values *v);

// Unpacks steps VALUES_BLOCK * block and following; returns how many.
size_t values_block(const struct values *v, uint64_t block, uint64_t steps[VALUES_BLOCK]);

// The value at a place below the count.
double values_at(const struct values *v, uint64_t i);

#endif
