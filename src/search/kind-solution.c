// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "game/kernel.h"
#include "search/kind.h"
#include "solve/solution.h"
#include "util/fail.h"

// A folder of values stands in its solution's: DIR plays for the score, DIR/NAME
// by other values.
static int open(struct evaluator *e) {
    char path[PATH_MAX], *values = NULL;
    if (solution_is_values(e->path)) {
        if (!realpath(e->path, path)) return fail_errno(e->path);
        values = strrchr(path, '/');
        *values++ = '\0';
    }
    struct solution *s = e->own = solution_open(values ? path : e->path, values);
    if (!s || solution_ready(s)) return -1;
    e->shape = &solution_rules(s)->shape;
    e->p4 = solution_ages(s)->p4;
    e->equal = 1.5 * solution_step(s); // both may be rounded
    return 0;
}

static void close(struct evaluator *e) { solution_close(e->own); }

static int explained(const struct evaluator *e, struct board b, int known) {
    char text[BOARD_TEXT];
    if (known == SOLUTION_KNOWN || known == SOLUTION_FAILED) return known;
    return known == SOLUTION_UNSOLVED
               ? fail("%s: %s", e->path, fail_text())
               : fail("%s: no game comes to %s", e->path, board_text(e->shape, b, text));
}

enum { GAMES = 64, OVER = 0 };

// One step of a game, or none if it is over. Its age afterwards.
static int step(const struct evaluator *e, uint64_t p4, struct game *g, uint64_t *age) {
    struct solution_moves m;
    if (explained(e, g->board, solution_moves(e->own, g->board, &m))) return -1;
    *age = OVER;
    if (!m.legal) return 0;
    unsigned move = (unsigned)__builtin_ctz(m.best);
    k_stray(&g->rng, g->epsilon, m.legal, &move);
    board_slide(e->shape, g->board, (enum move)move, &g->board);
    g->step[g->steps++] = (uint8_t)(move | k_spawn(e->shape, &g->board, rng_next(&g->rng), p4));
    *age = board_age(e->shape, g->board);
    return 0;
}

// The youngest game goes on, so that all come through an age together and find
// its tables in the cache.
static int play_some(const struct evaluator *e, uint64_t p4, struct game *game, unsigned n) {
    uint64_t age[GAMES];
    for (unsigned i = 0; i < n; i++) age[i] = board_age(e->shape, game[i].board);
    for (;;) {
        unsigned youngest = 0;
        for (unsigned i = 1; i < n; i++)
            if (age[i] - 1 < age[youngest] - 1) youngest = i; // OVER is the oldest
        if (age[youngest] == OVER) return 0;
        if (step(e, p4, &game[youngest], &age[youngest])) return -1;
    }
}

static int play(const struct player *self, const struct shape *shape, uint64_t p4,
                struct game *game, unsigned n) {
    int status = 0;
    (void)shape;
    for (unsigned i = 0; i < n && status == 0; i += GAMES)
        status = play_some(self->context, p4, game + i, n - i < GAMES ? n - i : GAMES);
    return status;
}

static int value(const struct evaluator *e, struct board after, double *to) {
    return explained(e, after, solution_value(e->own, after, to));
}

static int searchable(const struct evaluator *e) {
    const struct objective *o = &solution_values(e->own)->objective;
    if (o->reach || o->spawn != SPAWN_EXPECTED)
        return fail("%s: values that are no expected scores cannot be searched", e->path);
    return 0;
}

const struct evaluator_kind kind_solution = {.name = "perfect",
                                             .noun = "solved board",
                                             .is = solution_is,
                                             .open = open,
                                             .close = close,
                                             .play = play,
                                             .batch = GAMES,
                                             .value = value,
                                             .searchable = searchable};
