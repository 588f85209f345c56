// SPDX-License-Identifier: MIT
#include "ntuple/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

enum { ALIGN = 16 }; // weights in a cache line

static uint32_t cells_of(const struct shape *s, const struct tuple *t, unsigned image) {
    // symmetry[k] tells where an image's cell comes from; the look-ups of all
    // images together are the same whichever of them we start from.
    uint32_t set = 0;
    for (unsigned i = 0; i < t->n; i++) set |= (uint32_t)1 << s->symmetry[image][t->cell[i]];
    return set;
}

// The first image of tuple b that shares all cells but one with tuple a.
static int matching_image(const struct network *net, unsigned a, unsigned b) {
    const struct tuple *ta = &net->tuple[a], *tb = &net->tuple[b];
    uint32_t set = cells_of(&net->shape, ta, 0);
    if (ta->n != tb->n || ta->n < 2) return -1;
    for (unsigned k = 0; k < net->shape.symmetries; k++) {
        uint32_t both = set & cells_of(&net->shape, tb, k);
        if ((unsigned)__builtin_popcount(both) == ta->n - 1) return (int)k;
    }
    return -1;
}

// Pairs tuples so that as many as possible have a partner: a simple search
// over which unpaired tuple the first one takes, or none.
struct matching {
    unsigned n;
    uint8_t can[MOST_TUPLES][MOST_TUPLES];
    uint8_t partner[MOST_TUPLES], best[MOST_TUPLES];
    unsigned pairs, best_pairs, budget;
};

enum { ALONE = 255 };

static void match(struct matching *m, unsigned i) {
    while (i < m->n && m->partner[i] != ALONE) i++;
    if (m->pairs > m->best_pairs || i == 0) {
        m->best_pairs = m->pairs;
        memcpy(m->best, m->partner, sizeof m->best);
    }
    if (i >= m->n || m->best_pairs == m->n / 2 || m->budget == 0) return;
    m->budget--;
    for (unsigned j = i + 1; j < m->n; j++) {
        if (!m->can[i][j] || m->partner[j] != ALONE) continue;
        m->partner[i] = (uint8_t)j;
        m->partner[j] = (uint8_t)i;
        m->pairs++;
        match(m, i + 1);
        m->pairs--;
        m->partner[i] = m->partner[j] = ALONE;
    }
    match(m, i + 1);
}

static void find_pairs(const struct network *net, uint8_t partner[MOST_TUPLES]) {
    struct matching m = {.n = net->tuples, .budget = 100000};
    for (unsigned i = 0; i < m.n; i++)
        for (unsigned j = 0; j < m.n; j++) m.can[i][j] = i != j && matching_image(net, i, j) >= 0;
    memset(m.partner, ALONE, sizeof m.partner);
    memset(m.best, ALONE, sizeof m.best);
    match(&m, 0);
    memcpy(partner, m.best, sizeof m.best);
}

// How many neighbours a cell has.
static unsigned neighbours(const struct shape *s, unsigned cell) {
    unsigned r = cell / s->cols, c = cell % s->cols;
    return (unsigned)((r > 0) + (r + 1 < s->rows) + (c > 0) + (c + 1 < s->cols));
}

// Order and place of a tuple's cells: the one that its partner has not comes
// first; then inner cells, edges and corners. Tiles change most in the middle
// and least in the corners, so that what is read soon again lies near.
static void place_tuple(struct layout *l, const struct network *net, unsigned table, uint32_t shared,
                        unsigned image, uint32_t base, uint32_t scale) {
    struct placing *p = &l->table[table];
    unsigned values = l->digits[table / net->tuples].values;
    uint32_t set = cells_of(&net->shape, &net->tuple[table % net->tuples], image);
    int binary = (values & (values - 1)) == 0;
    *p = (struct placing){.base = base, .scale = scale, .fold = binary ? ~(uint32_t)(ALIGN - 1) : 0};
    for (unsigned degree = 6; degree-- > 0;)
        for (unsigned c = net->shape.cells; c-- > 0;) {
            unsigned rank = set & ~shared & (uint32_t)1 << c && shared ? 5 : neighbours(&net->shape, c);
            if (set >> c & 1 && rank == degree) p->cell[p->n++] = (uint8_t)c;
        }
}

// Places a split's table of tuple a, and that of its partner b if it has one;
// returns the weights used.
static uint64_t place_pair(struct layout *l, const struct network *net, unsigned split, unsigned a,
                           unsigned b, uint64_t base) {
    unsigned first = split * net->tuples;
    uint64_t size = 1;
    for (unsigned i = 0; i < net->tuple[a].n; i++) size *= l->digits[split].values;
    l->partner[first + a] = first + b;
    l->partner[first + b] = first + a;
    if (a == b) {
        place_tuple(l, net, first + a, 0, 0, (uint32_t)base, 1);
        return size;
    }
    unsigned image = (unsigned)matching_image(net, a, b);
    uint32_t shared = cells_of(&net->shape, &net->tuple[a], 0) &
                      cells_of(&net->shape, &net->tuple[b], image);
    place_tuple(l, net, first + a, shared, 0, (uint32_t)base, 2);
    place_tuple(l, net, first + b, shared, image, (uint32_t)base + 1, 2);
    return 2 * size;
}

static void place_tables(struct layout *l, const struct network *net) {
    uint8_t partner[MOST_TUPLES];
    find_pairs(net, partner);
    for (unsigned split = 0; split < l->splits; split++)
        for (unsigned i = 0; i < net->tuples; i++) {
            if (partner[i] != ALONE && partner[i] < i) continue;
            uint64_t used = place_pair(l, net, split, i, partner[i] == ALONE ? i : partner[i], l->stage_weights);
            l->stage_weights += (used + ALIGN - 1) / ALIGN * ALIGN;
        }
}

// Image k of the placed tuples, table by table.
static void place_features(struct layout *l) {
    unsigned f = 0;
    for (unsigned t = 0; t < l->tables; t++)
        for (unsigned k = 0; k < l->shape.symmetries; k++) {
            struct placing *p = &l->feature[f++];
            *p = l->table[t];
            for (unsigned i = 0; i < p->n; i++) p->cell[i] = l->shape.symmetry[k][p->cell[i]];
            if ((p->n + 3) / 4 > l->groups) l->groups = (p->n + 3) / 4;
        }
}

static void fill_block(const struct layout *l, struct block *b, const struct placing *p, unsigned lane) {
    b->base[lane] = p->base;
    b->fold[lane] = p->fold;
    b->shift[lane] = p->scale - 1; // 1 or 2
    for (unsigned k = 0; k < 4 * GROUPS; k++) {
        unsigned group = k / 4, at = 4 * lane + k % 4;
        if (l->nibbles && k < 8) {
            // Packing takes a half of register 0, then of register 1.
            group = lane >> 1 & 1;
            at = (lane >> 2) * 16 + (lane & 1) * 8 + k;
        }
        // A byte with its top bit set picks zero.
        b->pick[group][at] = k < p->n ? p->cell[k] : 0x80;
    }
}

static void fill_blocks(struct layout *l) {
    l->blocks = (l->features + BLOCK - 1) / BLOCK;
    for (unsigned i = 0; i < l->blocks; i++) {
        l->block[i].follows = 1;
        memset(l->block[i].pick, 0x80, sizeof l->block[i].pick);
    }
    for (unsigned f = 0; f < l->features; f++) {
        unsigned t = f / l->shape.symmetries;
        fill_block(l, &l->block[f / BLOCK], &l->feature[f], f % BLOCK);
        if (l->partner[t] >= t) l->block[f / BLOCK].follows = 0;
    }
}

// Flags of tiles and stages of flags, so that a look at each cell is enough.
static void make_stages(struct layout *l, const struct network *net) {
    unsigned n = net->stage_tiles;
    l->stages = network_stages(net);
    for (unsigned e = 0; e < 32; e++) {
        unsigned reached = 0;
        while (reached < n && e >= net->stage_tile[reached]) reached++;
        if (reached) l->flag[e] = (uint8_t)(1u << (reached - 1));
    }
    for (unsigned flags = 0; flags < 256; flags++) {
        unsigned highest = flags ? 32 - (unsigned)__builtin_clz(flags) : 0;
        l->stage_of[flags] = (uint8_t)(net->stage_bits ? flags : highest);
    }
}

// Half-precision numbers end at 65504. Weights should not come near, even if a
// board's value is twice what can be scored on it at all.
static float choose_scale(const struct layout *l) {
    double most = 2.0 * l->shape.cells * exp2(l->shape.cells + 2.0);
    float scale = 1;
    while (scale * 65504.0f * (float)l->features < (float)most) scale *= 2;
    return scale;
}

struct layout *layout_new(const struct network *net) {
    struct layout *l = aligned_alloc(64, (sizeof *l + 63) / 64 * 64);
    if (!l) return fail("out of memory"), NULL;
    memset(l, 0, sizeof *l);
    l->shape = net->shape;
    l->values = net->values;
    l->splits = network_splits(net);
    l->tables = l->splits * net->tuples;
    l->features = network_features(net);
    for (unsigned s = 0; s < l->splits; s++)
        l->digits[s].values = network_digits(net, s, l->digits[s].digit);
    make_stages(l, net);
    place_tables(l, net);
    l->weights = l->stages * l->stage_weights;
    if (!network_parameters(net) || l->weights > UINT32_MAX) {
        double gib = (double)l->weights * sizeof(float) / 0x1p30;
        layout_free(l);
        return fail("more than 2^32 weights (%.0f GiB of memory would be needed)", gib), NULL;
    }
    l->scale = choose_scale(l);
    place_features(l);
    l->nibbles = l->values == 16 && !net->splits && l->groups <= 2;
    l->mixed = l->splits > 1 && net->tuples * l->shape.symmetries % BLOCK != 0;
    fill_blocks(l);
    return l;
}

void layout_free(struct layout *l) { free(l); }

void layout_strides(const struct layout *l, const struct network *net, unsigned table,
                    uint32_t stride[MOST_TUPLE_CELLS]) {
    const struct placing *p = &l->table[table];
    const struct tuple *t = &net->tuple[table % net->tuples];
    // Which image was placed: the one whose cells these are.
    uint32_t set = 0;
    for (unsigned i = 0; i < p->n; i++) set |= (uint32_t)1 << p->cell[i];
    unsigned image = 0;
    while (cells_of(&net->shape, t, image) != set) image++;
    for (unsigned i = 0; i < t->n; i++) {
        stride[i] = p->scale;
        for (unsigned k = 0; p->cell[k] != net->shape.symmetry[image][t->cell[i]]; k++)
            stride[i] *= l->digits[table / net->tuples].values;
    }
}
