// SPDX-License-Identifier: MIT
#include "search/search.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>

#include "search/fan.h"
#include "search/kind.h"
#include "util/clock.h"
#include "util/cpu.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/par.h"

extern const struct search_kernel search_kernel_plain;
#ifdef WITH_V3
extern const struct search_kernel search_kernel_v3;
#endif

const struct search_kernel *search_kernel_best(void) {
#ifdef WITH_V3
    if (cpu_best() == CPU_V3) return &search_kernel_v3;
#endif
    return &search_kernel_plain;
}

// The moves of a state.
struct root {
    unsigned legal;
    struct board after[4];
    uint32_t reward[4];
    // For several threads: what is behind each move, and its values.
    struct fan fan[4];
    double value[4][FAN_MOST + 1];
};

struct search {
    struct search_spec spec;
    const struct search_kernel *kernel;
    struct table *table;
    uint64_t learned;          // what the evaluator had learned when the table was new
    struct searcher *searcher; // one a thread
    _Atomic int over;
    struct root root;
    double seconds[SEARCH_PLIES + 1]; // of the last search of so many plies
    double rested;             // when others had the processor last
    double held;               // for how long they take it from us, at most
};

static void searcher_init(struct searcher *s, struct search *search) {
    const struct search_spec *spec = &search->spec;
    *s = (struct searcher){.shape = evaluator_shape(spec->evaluator),
                           .evaluator = spec->evaluator,
                           .p4 = spec->p4,
                           .spawns = (spec->p4 < 1 ? 1u : 0) | (spec->p4 > 0 ? 2u : 0),
                           .over = &search->over,
                           .interval = 1};
    if (spec->cutoff > 0) s->cutoff = (unsigned)fmin(SEARCH_QUARTERS, floor(-4 * log2(spec->cutoff)) + 1);
    for (unsigned e = 0; e <= MOST_CELLS; e++) {
        s->most[e] = (uint8_t)(spec->limit[e] - 1);
        for (unsigned four = 0; four < 2; four++) {
            double p = (four ? spec->p4 : 1 - spec->p4) / fmax(e, 1);
            s->quarters[four][e] = (uint8_t)fmin(SEARCH_QUARTERS, p > 0 ? round(-4 * log2(p)) : 255);
        }
    }
}

struct search *search_new(const struct search_spec *spec) {
    struct search *s = calloc(1, sizeof *s);
    if (!s) return fail("out of memory"), NULL;
    s->spec = *spec;
    s->kernel = search_kernel_best();
    s->searcher = fail_alloc(spec->threads, sizeof *s->searcher);
    int status = s->searcher ? 0 : -1;
    if (status == 0 && spec->table >= TABLE_LEAST && !(s->table = table_new(spec->table))) status = -1;
    if (status) return search_free(s), NULL;
    if (evaluator_episodes(spec->evaluator, &s->learned)) s->learned = 0;
    for (unsigned i = 0; i < spec->threads; i++) searcher_init(&s->searcher[i], s);
    return s;
}

void search_free(struct search *s) {
    if (!s) return;
    table_free(s->table);
    free(s->searcher);
    free(s);
}

// Looks are to be 20 to 100 microseconds apart: often enough to be in time, and
// seldom enough to cost nothing, whatever an evaluator takes.
void searcher_look(struct searcher *s) {
    double now = clock_seconds(), passed = now - s->looked;
    if (now > s->deadline) atomic_store(s->over, 1);
    if (passed > s->longest) s->longest = passed;
    if (passed < 20e-6 && s->interval < 1 << 20) s->interval *= 2;
    if (passed > 100e-6 && s->interval > 1) s->interval /= 2;
    s->looked = now;
    s->patience = s->interval;
}

// Where a learner changes the weights, values of a moment ago may be wrong now.
static void drop_old_values(struct search *s) {
    uint64_t learned = 0;
    if (!s->table) return;
    table_age(s->table);
    if (evaluator_episodes(s->spec.evaluator, &learned) || learned == s->learned) return;
    table_free(s->table);
    s->table = NULL;
}

// The work of several threads: afterstates behind the moves of the root.
struct crowd {
    struct search *s;
    const unsigned *rest; // plies behind each move
    unsigned n;
    struct {
        uint8_t move, child;
    } item[4 * FAN_MOST];
};

static int look_behind_one(void *context, unsigned worker, uint64_t i) {
    struct crowd *c = context;
    struct search *s = c->s;
    struct searcher *own = &s->searcher[worker];
    unsigned move = c->item[i].move, child = c->item[i].child;
    const struct fan *f = &s->root.fan[move];
    unsigned path = searcher_path(own, k_count(f->empty), f->four[child], 0);
    unsigned plies = searcher_cuts(own, path) ? 0 : c->rest[move] - 1;
    s->root.value[move][child] = s->kernel->value(own, f->after[child], plies, path);
    return own->failed ? -1 : 0;
}

// Values everything behind moves that are looked behind at least twice.
static int look_together(struct search *s, const unsigned rest[4]) {
    struct crowd c = {.s = s, .rest = rest};
    for (unsigned m = 0; m < 4; m++) {
        struct fan *f = &s->root.fan[m];
        if (rest[m] < 2) continue;
        fan_open(s->searcher->shape, s->root.after[m], s->searcher->spawns, f);
        for (unsigned i = 0; i < f->n; i++, c.n++) {
            c.item[c.n].move = (uint8_t)m;
            c.item[c.n].child = (uint8_t)i;
        }
    }
    return par_for(s->spec.threads, c.n, look_behind_one, &c);
}

// What is worth another thread: it takes about 50 microseconds to start one.
static int worth_threads(const struct search *s, unsigned plies) {
    if (s->spec.threads < 2) return 0;
    return s->seconds[plies] > 0 ? s->seconds[plies] > 400e-6 : plies > 3;
}

// Searches the root's moves to so many plies. 0; 1 if it came to no end; -1.
static int look_ahead(struct search *s, unsigned plies, double value[4]) {
    struct root *r = &s->root;
    struct searcher *first = s->searcher;
    unsigned rest[4] = {0};
    int together = worth_threads(s, plies);
    double begun = s->spec.threads > 1 ? clock_seconds() : 0;
    for (unsigned m = 0; m < 4; m++)
        if (r->legal >> m & 1)
            rest[m] = searcher_plies(first, k_count(k_empty(first->shape, r->after[m])), plies - 1);
    if (together && look_together(s, rest)) return -1;
    for (unsigned m = 0; m < 4 && !s->over; m++) {
        if (!(r->legal >> m & 1)) continue;
        double x = together && rest[m] > 1 ? fan_close(&r->fan[m], first->p4, r->value[m])
                                           : s->kernel->value(first, r->after[m], rest[m], 0);
        value[m] = r->reward[m] + x;
        if (!rest[m] && s->spec.evaluator->kind->single)
            value[m] = (double)((float)r->reward[m] + (float)x); // as the greedy player does
    }
    if (first->failed) return -1;
    if (s->spec.threads > 1 && !s->over) s->seconds[plies] = clock_seconds() - begun;
    return s->over;
}

// Gives all searchers a new search of the root, and a time to be done. Below four
// plies hardly anything is found twice, and a table costs more than it saves.
static void prepare(struct search *s, unsigned plies, double now, double deadline) {
    s->over = 0;
    for (unsigned i = 0; i < s->spec.threads; i++) {
        struct searcher *own = &s->searcher[i];
        own->failed = 0;
        own->table = plies > 3 ? s->table : NULL;
        own->deadline = deadline;
        own->looked = now;
        own->patience = deadline < INFINITY ? own->interval : UINT_MAX;
    }
}

// Where there are more programs than processors, each runs for some milliseconds
// until it has to wait for the others. We rather wait between two moves: a move
// that begins when we have just been waiting is seldom interrupted.
enum { TURN = 3, TRIES = 10 }; // milliseconds that we count on

void search_rest(struct search *s) {
    double now = clock_seconds();
    if (now + 1e-3 * fmin(s->spec.milliseconds, TURN) < s->rested + 1e-3 * TURN) return;
    // If others are there, the system may find that it is not their turn yet.
    for (unsigned i = 0; i < (s->held > 0.3e-3 ? TRIES : 1); i++) {
        double before = now;
        sched_yield();
        now = clock_seconds();
        if (now - before < 0.3e-3) continue;
        s->rested = now;
        break;
    }
}

// When a move that begins now should be done. A longer one will be interrupted,
// and that must not make it late by more than a fifth of its time and a millisecond.
static double deadline(struct search *s, double start) {
    double budget = 1e-3 * s->spec.milliseconds;
    s->held *= 0.99;
    for (unsigned i = 0; i < s->spec.threads; i++) {
        s->held = fmax(s->held, s->searcher[i].longest);
        s->searcher[i].longest = 0;
    }
    return start + fmin(budget, fmax(1e-3 * TURN, 1.1 * budget + 1e-3 - s->held));
}

// Deeper and deeper, as long as there is time. The first ply is always done. A
// search is not begun if there is not even time for half of what it may take: as
// much more than the last one as that took more than the one before.
static int deepen(struct search *s, double start, struct search_answer *to) {
    double end = deadline(s, start), last = 0;
    for (unsigned plies = 1; plies <= s->spec.plies; plies++) {
        double value[4] = {0}, begun = clock_seconds();
        prepare(s, plies, begun, plies > 1 ? end : INFINITY);
        int status = look_ahead(s, plies, value);
        if (status) return status < 0 ? -1 : 0;
        memcpy(to->value, value, sizeof value);
        to->plies = plies;
        double now = clock_seconds(), took = now - begun;
        if (last > 0 && now + took * (took / last) / 2 > end) break;
        last = took;
    }
    return 0;
}

static void choose(const struct evaluator *e, struct search_answer *to) {
    double most = -INFINITY;
    for (unsigned m = 0; m < 4; m++)
        if (to->legal >> m & 1 && to->value[m] > most) most = to->value[m];
    for (unsigned m = 4; m-- > 0;)
        if (to->legal >> m & 1 && (to->value[m] >= most || most - to->value[m] < e->equal))
            to->best = (enum move)m;
}

int search_state(struct search *s, struct board state, struct search_answer *to) {
    const struct shape *shape = s->searcher->shape;
    double start = clock_seconds();
    int status = 0;
    *to = (struct search_answer){0};
    if (s->spec.downgrade) state = search_downgrade(shape, state, s->spec.downgrade);
    to->legal = s->root.legal = s->kernel->slides(shape, state, s->root.after, s->root.reward);
    if (!to->legal) return 0;
    drop_old_values(s);
    for (unsigned i = 0; i < s->spec.threads; i++) s->searcher[i].nodes = 0;
    if (s->spec.milliseconds > 0)
        status = deepen(s, start, to);
    else {
        prepare(s, s->spec.plies, start, INFINITY);
        status = look_ahead(s, to->plies = s->spec.plies, to->value);
    }
    choose(s->spec.evaluator, to);
    for (unsigned i = 0; i < s->spec.threads; i++) to->nodes += s->searcher[i].nodes;
    to->milliseconds = 1e3 * (clock_seconds() - start);
    return status;
}

struct board search_downgrade(const struct shape *shape, struct board b, unsigned exponent) {
    for (unsigned max; (max = board_max(shape, b)) >= exponent;) {
        uint32_t there = 1; // bit e for every exponent, and for 0
        for (unsigned i = 0; i < shape->cells; i++) there |= (uint32_t)1 << board_cell(b, i);
        uint32_t missing = ~there & (((uint32_t)1 << max) - 1);
        if (!missing) break;
        unsigned largest = 31 - (unsigned)__builtin_clz(missing);
        for (unsigned i = 0; i < shape->cells; i++) {
            unsigned e = board_cell(b, i);
            if (e > largest) b = board_put(b, i, e - 1);
        }
    }
    return b;
}

// One of the list: "N:PLIES", "N-M:PLIES" or "N-:PLIES".
static int parse_range(char *text, uint8_t limit[MOST_CELLS + 1]) {
    uint64_t from, to, plies;
    char *colon = strchr(text, ':');
    if (!colon) return fail("'%s' has no ':'", text);
    *colon = '\0';
    char *dash = strchr(text, '-');
    if (dash) *dash++ = '\0';
    if (number_u64(text, 0, MOST_CELLS, &from)) return -1;
    to = dash ? MOST_CELLS : from;
    if (dash && *dash && number_u64(dash, from, MOST_CELLS, &to)) return -1;
    if (number_u64(colon + 1, 1, SEARCH_PLIES, &plies)) return -1;
    for (; from <= to; from++) limit[from] = (uint8_t)plies;
    return 0;
}

int search_parse_limit(const char *text, uint8_t limit[MOST_CELLS + 1]) {
    char copy[256];
    if (strlen(text) >= sizeof copy) return fail("too long");
    strcpy(copy, text);
    for (char *at = copy, *next; at; at = next) {
        if ((next = strchr(at, ','))) *next++ = '\0';
        if (parse_range(at, limit)) return -1;
    }
    return 0;
}
