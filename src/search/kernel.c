// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
#include "search/kernel.h"

#include "search/fan.h"
#include "util/cpu.h"

static int over(const struct searcher *s) {
    return atomic_load_explicit(s->over, memory_order_relaxed);
}

// The evaluator's values of n afterstates.
static void judge(struct searcher *s, const struct board *after, unsigned n, double *value) {
    s->nodes += n;
    if (evaluator_values(s->evaluator, after, n, value) == 0) return;
    s->failed = 1;
    atomic_store(s->over, 1);
}

static double expect(struct searcher *s, struct board after, unsigned plies, unsigned path);

// The values of a fan's afterstates when so many plies are left behind them. Those
// that are not looked behind are judged together.
static void look_behind(struct searcher *s, const struct fan *f, unsigned plies, unsigned before,
                        double *value) {
    struct board leaf[FAN_MOST];
    double judged[FAN_MOST];
    uint8_t rest[FAN_MOST];
    unsigned empty = k_count(f->empty), leaves = 0, path[2];
    for (unsigned four = 0; four < 2; four++) path[four] = searcher_path(s, empty, four, before);
    for (unsigned i = 0; i < f->n; i++) {
        unsigned room = k_count(k_empty(s->shape, f->after[i]));
        rest[i] = searcher_cuts(s, path[f->four[i]]) ? 0 : (uint8_t)searcher_plies(s, room, plies);
        if (!rest[i])
            leaf[leaves++] = f->after[i];
        else if (s->table) // ask for the memory ahead
            table_find(s->table, f->after[i].lo, path[f->four[i]] << 4 | rest[i]);
    }
    judge(s, leaf, leaves, judged);
    leaves = 0;
    for (unsigned i = 0; i < f->n && !over(s); i++)
        value[i] = rest[i] ? expect(s, f->after[i], rest[i], path[f->four[i]]) : judged[leaves++];
}

// At least one ply.
static double expect(struct searcher *s, struct board after, unsigned plies, unsigned path) {
    struct table_place place = {0};
    double value[FAN_MOST + 1], expected;
    int tabled = s->table && !after.hi;
    if (tabled) {
        place = table_find(s->table, after.lo, path << 4 | plies);
        if (table_get(place, &expected)) return expected;
    }
    if (--s->patience == 0) searcher_look(s);
    if (over(s)) return 0;
    struct fan f;
    fan_open(s->shape, after, s->spawns, &f);
    s->nodes++;
    if (plies == 1)
        judge(s, f.after, f.n, value);
    else
        look_behind(s, &f, plies - 1, path, value);
    if (over(s)) return 0;
    expected = fan_close(&f, s->p4, value);
    if (tabled) table_put(s->table, place, expected);
    return expected;
}

static double value(struct searcher *s, struct board after, unsigned plies, unsigned path) {
    double judged = 0;
    plies = searcher_plies(s, k_count(k_empty(s->shape, after)), plies);
    if (plies) return expect(s, after, plies, path);
    judge(s, &after, 1, &judged);
    return judged;
}

static unsigned slides(const struct shape *s, struct board b, struct board after[4], uint32_t reward[4]) {
    return k_slide_all(s, b, after, reward);
}

const struct search_kernel CPU_NAME(search_kernel) = {slides, value};
