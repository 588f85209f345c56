// SPDX-License-Identifier: MIT
// Players that stray: every move against the draws that decide it, and what the
// same player does when it does not stray. Evaluators are in the current folder.
#include <math.h>

#include "check.h"
#include "reference.h"
#include "search/evaluator.h"
#include "util/fail.h"

static uint8_t steps[2][MOST_STEPS];

static struct game play(const struct player *p, const struct shape *s, struct board b, struct rng r, double epsilon,
                        uint8_t *to) {
    struct game g = {.rng = r, .board = b, .step = to, .epsilon = play_p4(epsilon)};
    CHECK(p->play(p, s, play_p4(0.1), &g, 1) == 0, "%s", fail_text());
    return g;
}

// The k-th legal move.
static unsigned legal_move(const struct shape *s, struct board b, unsigned k) {
    struct grid g = grid_of(s, b);
    for (unsigned m = 0;; m++) {
        struct grid after = g;
        grid_slide(&after, m);
        CHECK(m < 4, "no move");
        if (!grid_equal(&after, &g) && k-- == 0) return m;
    }
}

static void follow(const char *path, double epsilon, uint64_t games) {
    struct evaluator *e = evaluator_open(path);
    CHECK(e, "%s", fail_text());
    const struct player *p = evaluator_player(e);
    const struct shape *s = evaluator_shape(e);
    unsigned long moves = 0, strays = 0;
    for (uint64_t i = 0; i < games; i++) {
        struct rng r = rng_stream(9, i);
        struct board b = play_start(s, &r, play_p4(0.1));
        struct game g = play(p, s, b, r, epsilon, steps[0]);
        for (size_t t = 0; t < g.steps; t++) {
            int strayed = epsilon > 0 && (double)(rng_next(&r) >> 11) < ldexp(epsilon, 53);
            unsigned move;
            if (strayed) {
                uint64_t x = rng_next(&r);
                move = legal_move(s, b, (unsigned)rng_split(&x, (unsigned)__builtin_popcount(board_legal(s, b))));
            } else {
                play(p, s, b, r, 0, steps[1]);
                move = step_move(steps[1][0]);
            }
            strays += (unsigned)strayed;
            moves++;
            CHECK(step_move(steps[0][t]) == move, "%s, epsilon %g: game %d, step %zu", path, epsilon, (int)i, t);
            board_slide(s, b, (enum move)move, &b);
            CHECK((steps[0][t] & 0x7c) == k_spawn(s, &b, rng_next(&r), play_p4(0.1)), "another tile appears");
        }
        CHECK(board_equal(b, g.board) && board_legal(s, b) == 0, "another end");
    }
    double off = (double)strays - epsilon * (double)moves;
    CHECK(off * off <= 25 * epsilon * (1 - epsilon) * (double)moves, "epsilon %g: %lu of %lu", epsilon, strays, moves);
    evaluator_close(e);
}

static void weights(void) {
    static const double epsilons[] = {0, 0.01, 0.3, 1};
    for (int i = 0; i < 4; i++) follow("run.w", epsilons[i], 100);
}

static void solution(void) {
    static const double epsilons[] = {0, 0.1, 1};
    for (int i = 0; i < 3; i++) follow("solved", epsilons[i], 30);
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"weights", weights}, {"solution", solution}, {NULL, NULL}};
    return check_main(cases, argc, argv);
}
