// SPDX-License-Identifier: MIT
#include "solve/ids.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/fail.h"

static struct id_base *make_base(unsigned base) {
    unsigned group = base * base * base * base;
    struct id_base *b = fail_alloc(1, sizeof *b);
    uint16_t *unpack = fail_alloc(group, sizeof *unpack);
    uint32_t *sum = fail_alloc(group, sizeof *sum);
    if (!b || !unpack || !sum) {
        free(b);
        free(unpack);
        free(sum);
        return NULL;
    }
    b->base = base;
    b->unpack = unpack;
    b->sum = sum;
    for (unsigned nibbles = 0; nibbles < 1 << 4 * ID_GROUP; nibbles++) {
        unsigned id = 0, valid = 1;
        uint32_t tiles = 0;
        for (unsigned k = ID_GROUP; k-- > 0;) {
            unsigned e = nibbles >> 4 * k & 15;
            valid &= e < base;
            id = id * base + e;
            if (e) tiles += (uint32_t)1 << e;
        }
        // Tiles that the age cannot have get no digits of their own.
        b->pack[nibbles] = (uint16_t)(valid ? id : 0);
        if (!valid) continue;
        unpack[id] = (uint16_t)nibbles;
        sum[id] = tiles;
    }
    return b;
}

int id_codec_init(struct id_codec *c, uint64_t age) {
    static struct id_base *bases[17];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (age < 2 || age >= 65536) return fail("age %lu: no board of the solver has it", (unsigned long)age);
    unsigned base = 64 - (unsigned)__builtin_clzll(age);
    pthread_mutex_lock(&lock);
    if (!bases[base]) bases[base] = make_base(base);
    c->base = bases[base];
    pthread_mutex_unlock(&lock);
    if (!c->base) return -1;
    c->age = age;
    c->group = (uint64_t)base * base * base * base;
    c->inverse = UINT64_MAX / c->group + 1;
    return 0;
}
