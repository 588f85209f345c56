// SPDX-License-Identifier: MIT
#include "solve/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/states.h"
#include "solve/table.h"
#include "util/fail.h"
#include "util/par.h"

enum { STATES = 256, SPAWN_BYTES = 12 };

struct work {
    uint64_t board[SET_BLOCK], steps[SET_BLOCK], after[4 * STATES];
    double value[SET_BLOCK > 4 * STATES ? SET_BLOCK : 4 * STATES];
    uint32_t reward[4 * STATES];
    uint8_t moves[STATES];
    uint64_t states, choices, near, gap; // gap in steps
};

struct going {
    const struct rules *rules;
    const struct solution_age *age;
    struct states states;
    struct table table;
    table_values_function *values;
    struct work *work;
    unsigned precision;
    double unit; // 0 where rewards do not count
};

static int fill_block(void *context, unsigned worker, uint64_t i) {
    struct going *g = context;
    struct work *w = &g->work[worker];
    size_t n = set_block(g->age->set, i, w->board);
    values_block(g->age->values, i, w->steps);
    for (size_t k = 0; k < n; k++) {
        w->board[k] = id_unpack(g->age->codec, w->board[k]);
        w->value[k] = ldexp((double)w->steps[k], -(int)g->precision);
    }
    table_add(&g->table, w->board, w->value, n);
    return 0;
}

// The best two of n values, and what they tell.
static void count_state(struct work *w, const double *value, unsigned n, double scale) {
    double best = -1, second = -1;
    if (n < 2) return;
    for (unsigned i = 0; i < n; i++) {
        if (value[i] > best) {
            second = best;
            best = value[i];
        } else if (value[i] > second)
            second = value[i];
    }
    w->choices++;
    w->near += best - second < 1;
    w->gap += (uint64_t)((best - second) * scale);
}

static int look_at_pile(void *context, unsigned worker, uint64_t i) {
    struct going *g = context;
    struct work *w = &g->work[worker];
    struct heap *h = &g->states.worker[worker].heap;
    int64_t n = pile_distinct(&g->states.piles, worker, (unsigned)i, h);
    double scale = ldexp(1, (int)g->precision);
    if (n < 0) return -1;
    w->states += (uint64_t)n;
    for (int64_t k = 0; k < n; k += STATES) {
        size_t take = n - k < STATES ? (size_t)(n - k) : STATES;
        size_t made = g->rules->kernel->slide_rewards(g->rules, h->list + k, take, w->after,
                                                      w->reward, w->moves);
        g->values(&g->table, w->after, made, w->value);
        for (size_t m = 0; m < made; m++) {
            if (w->value[m] < 0) return fail("afterstates: one that a move makes is missing");
            w->value[m] += g->unit * w->reward[m];
        }
        const double *value = w->value;
        for (size_t s = 0; s < take; value += w->moves[s], s++)
            count_state(w, value, w->moves[s], scale);
    }
    return 0;
}

// A younger age's afterstates, as far as there are any.
static int borrow(struct solution *s, uint64_t age, struct source *to, uint64_t *spawns, int tile) {
    int why;
    *to = (struct source){0};
    const struct age_line *line = forward_manifest_age(solution_ages(s), age);
    if (!line) return 0;
    const struct solution_age *a = solution_age(s, age, &why);
    if (!a) return -1;
    *to = (struct source){.codec = *a->codec, .n = line->afterstates, .set = a->set};
    if (spawns_tile(solution_ages(s)->p4, tile)) *spawns += line->empty;
    return 0;
}

static int go(struct going *g, unsigned threads, unsigned parts) {
    uint64_t blocks = (set_count(g->age->set) + SET_BLOCK - 1) / SET_BLOCK;
    int status = table_init(&g->table, set_count(g->age->set), NULL);
    if (status == 0) status = par_for(threads, blocks, fill_block, g);
    for (g->states.part = 0; g->states.part < parts && status == 0; g->states.part++) {
        status = states_throw(&g->states);
        if (status == 0) status = par_for(threads, g->states.piles.n, look_at_pile, g);
        if (g->states.piles.pile) piles_free(&g->states.piles);
    }
    return status;
}

int moves_stat(struct solution *s, uint64_t age, unsigned threads, uint64_t memory,
               struct moves_stat *to) {
    int why;
    struct source source[2];
    const struct objective *o = &solution_values(s)->objective;
    struct going g = {.rules = solution_rules(s), .values = table_values_best(),
                      .precision = o->precision, .unit = o->reach ? 0 : 1};
    g.age = solution_age(s, age, &why);
    if (!g.age) return -1;
    if (!g.age->values) return fail("age %lu has no values", (unsigned long)age);
    g.states = (struct states){.rules = g.rules, .age = age, .p4 = solution_ages(s)->p4,
                               .source = {&source[0], &source[1]}, .threads = threads};
    if (borrow(s, age - 2, &source[0], &g.states.spawns, 0) ||
        borrow(s, age - 4, &source[1], &g.states.spawns, 1))
        return -1;
    uint64_t held = TABLE_BYTES * set_count(g.age->set), need = SPAWN_BYTES * g.states.spawns;
    uint64_t room = memory > 2 * held ? memory - held : memory / 2;
    g.states.parts = (unsigned)(need / (room ? room : 1)) + 1;
    g.states.pool = chunk_pool_open(threads);
    g.states.worker = calloc(threads, sizeof *g.states.worker);
    g.work = calloc(threads, sizeof *g.work);
    int status = g.states.pool && g.states.worker && g.work ? 0 : fail("out of memory");
    if (status == 0) status = go(&g, threads, g.states.parts);
    uint64_t gap = 0;
    *to = (struct moves_stat){0};
    for (unsigned i = 0; i < threads && status == 0; i++) {
        to->states += g.work[i].states;
        to->choices += g.work[i].choices;
        to->near += g.work[i].near;
        gap += g.work[i].gap;
    }
    if (to->choices) to->gap = ldexp((double)gap, -(int)o->precision) / (double)to->choices;
    for (unsigned i = 0; g.states.worker && i < threads; i++) heap_free(&g.states.worker[i].heap);
    free(g.states.worker);
    free(g.work);
    table_free(&g.table);
    chunk_pool_close(g.states.pool);
    return status;
}
