// SPDX-License-Identifier: MIT
// The ID of a board within its age: a number without the room that no board of
// the age can use.
//
// Exponents are digits to the base that the age's largest possible tile asks
// for, cell 0 last; cell 0 itself is dropped, because the age tells it. IDs
// order boards as the boards' own numbers do.
#ifndef SOLVE_IDS_H
#define SOLVE_IDS_H

#include "solve/rules.h"

enum { ID_GROUP = 4 }; // digits that one table lookup turns

// Tables of one base, shared by all ages that have it.
struct id_base {
    unsigned base;
    uint16_t pack[1 << 4 * ID_GROUP]; // nibbles to digits
    uint16_t *unpack;                 // digits to nibbles
    uint32_t *sum;                    // digits to the sum of their tiles
};

struct id_codec {
    uint64_t age;
    const struct id_base *base;
    uint64_t group, inverse; // base^4, and 2^64 over it, rounded up
};

// For boards of this age: 0, or -1 on failure.
int id_codec_init(struct id_codec *codec, uint64_t age);

static inline uint64_t id_pack(const struct id_codec *c, uint64_t board) {
    const uint16_t *pack = c->base->pack;
    board >>= 4;
    uint64_t id = pack[board >> 48];
    id = id * c->group + pack[board >> 32 & 0xffff];
    id = id * c->group + pack[board >> 16 & 0xffff];
    return id * c->group + pack[board & 0xffff];
}

// Of an ID that id_pack made; any other number gives some board or 0.
static inline uint64_t id_unpack(const struct id_codec *c, uint64_t id) {
    uint64_t board = 0, sum = 0;
    for (unsigned shift = 4; id; shift += 16) {
        __extension__ uint64_t q = (uint64_t)((unsigned __int128)id * c->inverse >> 64);
        uint64_t rest = id - q * c->group;
        if ((int64_t)rest < 0) { // the inverse is a little too large
            rest += c->group;
            q--;
        }
        if (shift > 52) return 0;
        board |= (uint64_t)c->base->unpack[rest] << shift;
        sum += c->base->sum[rest];
        id = q;
    }
    uint64_t first = c->age - sum;
    return first && first < 65536 ? board | (uint64_t)__builtin_ctzll(first) : board;
}

#endif
