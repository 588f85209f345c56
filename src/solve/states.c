// SPDX-License-Identifier: MIT
#include "solve/states.h"

#include <stdlib.h>
#include <string.h>

#include "util/par.h"

enum {
    PILE_ITEMS = 40000, // thrown on a pile, about: its distinct ones stay in the cache
    MOST_PILES = 4096,
};

void source_close(struct source *s) {
    free(s->ids);
    set_close(s->set);
    *s = (struct source){0};
}

size_t source_boards(const struct source *s, uint64_t block, uint64_t board[SET_BLOCK]) {
    size_t n;
    if (s->ids) {
        uint64_t left = s->n - block * SET_BLOCK;
        n = left < SET_BLOCK ? (size_t)left : SET_BLOCK;
        memcpy(board, s->ids + block * SET_BLOCK, n * sizeof *board);
    } else
        n = set_block(s->set, block, board);
    for (size_t i = 0; i < n; i++) board[i] = id_unpack(&s->codec, board[i]);
    return n;
}

static int throw(struct states *s, unsigned worker, const uint64_t *state, size_t n) {
    unsigned piles = s->piles.n;
    uint64_t all = (uint64_t)piles * s->parts, first = (uint64_t)piles * s->part;
    for (size_t i = 0; i < n; i++) {
        uint64_t pile = pile_of(state[i], all) - first;
        if (pile < piles && pile_put(&s->piles, worker, (unsigned)pile, state[i])) return -1;
    }
    return 0;
}

static int spawn_slice(void *context, unsigned worker, uint64_t i) {
    struct states *s = context;
    const struct solve_kernel *kernel = s->rules->kernel;
    struct state_worker *w = &s->worker[worker];
    if (s->meanwhile && i-- == 0) return s->meanwhile(s->context);
    int which = i >= s->slices[0];
    const struct source *from = s->source[which];
    uint64_t block = (i - (which ? s->slices[0] : 0)) * s->slice, end = block + s->slice;
    for (; block < end && block * SET_BLOCK < from->n; block++) {
        size_t n = source_boards(from, block, w->board);
        n = kernel->spawn(s->rules, w->board, n, which ? 2 : 1, w->made);
        kernel->normal(s->rules, w->made, n);
        if (throw(s, worker, w->made, n)) return -1;
    }
    return 0;
}

// The states that games start with, where the age has some.
static int throw_starts(struct states *s) {
    unsigned cells = s->rules->shape.cells;
    for (unsigned i = 0; i < cells; i++)
        for (unsigned j = 0; j < cells; j++)
            for (int pair = 0; pair < 4; pair++) {
                uint64_t a = 1 + (unsigned)(pair & 1), b = 1 + (unsigned)(pair >> 1);
                if (i == j || ((uint64_t)1 << a) + ((uint64_t)1 << b) != s->age ||
                    !spawns_tile(s->p4, pair & 1) || !spawns_tile(s->p4, pair >> 1))
                    continue;
                uint64_t state = rules_normal(s->rules, a << 4 * i | b << 4 * j);
                if (throw(s, 0, &state, 1)) return -1;
            }
    return 0;
}

int states_throw(struct states *s) {
    uint64_t piles = s->spawns / s->parts / PILE_ITEMS + 1, blocks[2] = {0, 0};
    if (piles < 4 * s->threads) piles = 4 * s->threads;
    if (piles > MOST_PILES) piles = MOST_PILES;
    for (int i = 0; i < 2; i++)
        if (s->source[i] && spawns_tile(s->p4, i))
            blocks[i] = (s->source[i]->n + SET_BLOCK - 1) / SET_BLOCK;
    s->slice = (blocks[0] + blocks[1]) / (16 * s->threads) + 1;
    for (int i = 0; i < 2; i++) s->slices[i] = (blocks[i] + s->slice - 1) / s->slice;
    if (piles_init(&s->piles, s->pool, s->threads, (unsigned)piles) || throw_starts(s)) return -1;
    return par_for(s->threads, s->slices[0] + s->slices[1] + (s->meanwhile != NULL), spawn_slice, s);
}
