// SPDX-License-Identifier: MIT
// Network definitions: which cells the tuples look at. The text is described
// in net(5).
#ifndef NTUPLE_NETWORK_H
#define NTUPLE_NETWORK_H

#include <stddef.h>

#include "game/board.h"

enum { MOST_TUPLES = 64, MOST_TUPLE_CELLS = 12, MOST_VALUES = 18, NETWORK_TEXT = 1 << 16 };

struct tuple {
    unsigned n;
    uint8_t cell[MOST_TUPLE_CELLS];
};

struct network {
    struct shape shape;
    unsigned values; // a cell's value e counts as min(e, values - 1)
    unsigned tuples;
    struct tuple tuple[MOST_TUPLES];
    char *text; // as read, for embedding; ends with a newline
    size_t size;
};

// Parses a definition; name is for messages. 0, or -1 with name and line.
int network_parse(struct network *net, const char *name, const char *text, size_t size);

// Reads and parses a file.
int network_load(struct network *net, const char *path);

void network_free(struct network *net);

// Look-ups of one board: tuples times symmetries.
unsigned network_features(const struct network *net);

// Weights in all, each tuple's values^n. 0 if it does not fit 48 bits.
uint64_t network_parameters(const struct network *net);

#endif
