// SPDX-License-Identifier: MIT
// Whole solutions against a solver that is as plain as the definition: from
// every start, by recursion, each board once, with the game's general rules.
#include <math.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "solve/backward.h"
#include "solve/forward.h"
#include "solve/solution.h"
#include "util/fail.h"

struct entry {
    uint64_t board;
    double value;
    char is_state;
};

static struct {
    struct shape shape;
    struct objective objective;
    double p4;
    struct entry *entry;
    size_t n, room;
    uint64_t states, afterstates, terminal;
} g;

static uint64_t mix(uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x >> 32 ^ x >> 15;
}

static struct entry *find(uint64_t board, int is_state) {
    size_t i = mix(board * 2 + (unsigned)is_state) & (g.room - 1);
    while (g.entry[i].board && (g.entry[i].board != board || g.entry[i].is_state != is_state))
        i = (i + 1) & (g.room - 1);
    return &g.entry[i];
}

static void keep(uint64_t board, int is_state, double value) {
    if (2 * ++g.n > g.room) {
        struct entry *old = g.entry;
        size_t room = g.room;
        g.room = room ? 2 * room : 1024;
        g.entry = calloc(g.room, sizeof *g.entry);
        for (size_t i = 0; i < room; i++)
            if (old[i].board) *find(old[i].board, old[i].is_state) = old[i];
        free(old);
    }
    *find(board, is_state) = (struct entry){board, value, (char)is_state};
}

static double afterstate(struct board b);

static double state(struct board b) {
    b = board_normal(&g.shape, b);
    struct entry *e = g.room ? find(b.lo, 1) : NULL;
    if (e && e->board) return e->value;
    double best = 0;
    int moved = 0;
    for (int m = 0; m < 4; m++) {
        struct board after;
        uint32_t reward = board_slide(&g.shape, b, (enum move)m, &after);
        if (board_equal(after, b)) continue;
        double v = afterstate(after) + (g.objective.reach ? 0 : reward);
        moved = 1;
        if (v > best) best = v;
    }
    g.states++;
    g.terminal += !moved;
    keep(b.lo, 1, best);
    return best;
}

static double afterstate(struct board b) {
    b = board_normal(&g.shape, b);
    struct entry *e = g.room ? find(b.lo, 0) : NULL;
    if (e && e->board) return e->value;
    double of[2] = {0, 0};
    int n = 0;
    for (unsigned c = 0; c < g.shape.cells; c++) {
        if (board_cell(b, c)) continue;
        for (unsigned k = 0; k < 2; k++) {
            if (k ? g.p4 == 0 : g.p4 == 1) continue;
            double v = state(board_put(b, c, k + 1));
            if (g.objective.spawn == SPAWN_EXPECTED) of[k] += v;
            else if (n == 0 || (g.objective.spawn == SPAWN_BEST) == (v > of[k])) of[k] = v;
        }
        n++;
    }
    double value = (1 - g.p4) * of[0] + g.p4 * of[1];
    if (g.objective.spawn == SPAWN_EXPECTED) value /= n;
    if (g.objective.reach && board_max(&g.shape, b) >= g.objective.reach) value = 1;
    g.afterstates++;
    keep(b.lo, 0, value);
    return value;
}

// The expected value over all starts.
static double brute(void) {
    double sum = 0;
    unsigned n = g.shape.cells;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            for (unsigned k = 0; k < 4; k++) {
                double p = (k & 1 ? g.p4 : 1 - g.p4) * (k & 2 ? g.p4 : 1 - g.p4);
                struct board b = {0, 0};
                if (i == j || p == 0) continue;
                b = board_put(board_put(b, i, 1 + (k & 1)), j, 1 + (k >> 1));
                sum += p * state(b) / (n * (n - 1));
            }
    return sum;
}

static void solve_it(const char *folder, unsigned threads, uint64_t memory) {
    struct forward_options forward = {.threads = threads, .memory = memory, .to = UINT64_MAX};
    struct forward *f = forward_open(folder, &g.shape, g.p4, &forward, 0);
    CHECK(f && forward_run(f) == 0, "%s", fail_text());
    forward_close(f);
    struct backward_options backward = {.threads = threads, .memory = memory, .objective = g.objective};
    struct backward *b = backward_open(folder, &backward);
    CHECK(b && backward_run(b) == 0, "%s", fail_text());
    backward_close(b);
}

// Every afterstate's value, all counts, and the starts.
static void compare(const char *folder, double value) {
    char name[NAME_TEXT];
    struct solution *s = solution_open(folder, objective_name(&g.objective, name));
    uint64_t states = 0, afterstates = 0, terminal = 0;
    CHECK(s, "%s", fail_text());
    const struct forward_manifest *m = solution_ages(s);
    for (size_t i = 0; i < m->n; i++) {
        states += m->age[i].states;
        afterstates += m->age[i].afterstates;
        terminal += m->age[i].terminal;
    }
    CHECK(m->complete && states == g.states, "%lu states, not %lu", (unsigned long)states, (unsigned long)g.states);
    CHECK(afterstates == g.afterstates, "%lu afterstates, not %lu", (unsigned long)afterstates, (unsigned long)g.afterstates);
    CHECK(terminal == g.terminal, "%lu terminal, not %lu", (unsigned long)terminal, (unsigned long)g.terminal);
    CHECK(fabs(solution_values(s)->start.all - value) < 1e-9 * (1 + value), "%.12g, not %.12g",
          solution_values(s)->start.all, value);
    double close = ldexp(0.5001, -(int)g.objective.precision);
    // Of a large board every so many, for time's sake.
    for (size_t i = 0; i < g.room; i += g.n > 1000000 ? 61 : 1) {
        double v;
        if (!g.entry[i].board || g.entry[i].is_state) continue;
        CHECK(solution_value(s, (struct board){g.entry[i].board, 0}, &v) == SOLUTION_KNOWN, "%lx: %s",
              (unsigned long)g.entry[i].board, fail_text());
        CHECK(fabs(v - g.entry[i].value) <= close + 1e-9, "%lx: %.12g, not %.12g", (unsigned long)g.entry[i].board, v,
              g.entry[i].value);
    }
    double worst;
    CHECK(solution_sample(s, 500, 1, 2, &worst) == 0, "%s", fail_text());
    solution_close(s);
}

static void solve_and_compare(unsigned rows, unsigned cols, double p4, struct objective objective) {
    char folder[] = "brute.XXXXXX", line[64];
    CHECK(mkdtemp(folder), "no folder");
    g.objective = objective;
    g.p4 = p4;
    g.n = g.states = g.afterstates = g.terminal = 0;
    free(g.entry);
    g.entry = NULL;
    g.room = 0;
    CHECK(shape_init(&g.shape, rows, cols) == 0, "%ux%u", rows, cols);
    double value = brute();
    solve_it(folder, 1 + (rows + cols) % 3, rows == 2 && cols == 4 ? 8 << 20 : 1 << 30);
    compare(folder, value);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    CHECK(system(line) == 0, "%s", line);
}

static const struct objective score = {SPAWN_EXPECTED, 0, 16, 0};

static void small(void) {
    static const unsigned shapes[][2] = {{1, 2}, {2, 1}, {1, 3}, {1, 4}, {4, 1}, {1, 5}, {1, 6}, {6, 1}, {2, 2}, {2, 3}, {3, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        solve_and_compare(shapes[i][0], shapes[i][1], 0.1, score);
}

static void two_by_four(void) { solve_and_compare(2, 4, 0.1, score); }

static void probabilities(void) {
    static const double p4[] = {0, 0.25, 1};
    for (int i = 0; i < 3; i++) {
        solve_and_compare(2, 2, p4[i], score);
        solve_and_compare(2, 3, p4[i], score);
    }
}

static void objectives(void) {
    for (int spawn = 0; spawn < 3; spawn++)
        for (unsigned reach = 0; reach <= 7; reach += reach ? 2 : 3) {
            struct objective o = {(enum spawn_choice)spawn, reach, reach ? 30 : 16, 0};
            solve_and_compare(2, 2, 0.1, o);
            solve_and_compare(2, 3, 0.1, o);
        }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"small", small}, {"two-by-four", two_by_four}, {"probabilities", probabilities},
                                              {"objectives", objectives}, {NULL, NULL}};
    return check_main(cases, argc, argv);
}
