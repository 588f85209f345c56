// SPDX-License-Identifier: MIT
// The rules of src/game against the naive reference.
#include "check.h"
#include "reference.h"

static const char *text(const struct shape *s, struct board b) {
    static char to[4][BOARD_TEXT];
    static int next;
    return board_text(s, b, to[next++ & 3]);
}

// Every kernel's slides, the legal moves, the age and the potential of one board.
static void compare(const struct shape *s, struct board b) {
    struct grid before = grid_of(s, b);
    unsigned legal = 0;
    uint64_t age = 0;
    for (unsigned i = 0; i < s->cells; i++)
        age += (uint64_t)before.tile[i / s->cols][i % s->cols];
    CHECK(board_age(s, b) == age, "%s", text(s, b));
    for (unsigned move = 0; move < 4; move++) {
        struct grid after = before;
        long reward = grid_slide(&after, move);
        legal |= (unsigned)!grid_equal(&before, &after) << move;
        for (const struct kernel *const *k = all_kernels(); *k; k++) {
            struct board to;
            uint32_t got = (*k)->slide(s, b, (enum move)move, &to);
            struct grid mine = grid_of(s, to);
            CHECK(grid_equal(&mine, &after), "%s kernel: %s %s gives %s", (*k)->name, text(s, b),
                  move_names[move], text(s, to));
            CHECK(got == reward, "%s kernel: %s %s: reward %u and not %ld", (*k)->name, text(s, b),
                  move_names[move], got, reward);
            CHECK(board_age(s, to) == age, "%s", text(s, b));
            CHECK(board_potential(s, to) - board_potential(s, b) == got, "%s %s", text(s, b),
                  move_names[move]);
            for (unsigned i = s->cells; i < 16; i++)
                CHECK(board_cell(to, i) == 0, "%s: tile outside of the board", text(s, b));
        }
    }
    for (const struct kernel *const *k = all_kernels(); *k; k++) {
        struct board after[4], to;
        uint32_t reward[4];
        CHECK((*k)->slide_all(s, b, after, reward) == legal, "%s kernel: legal moves of %s", (*k)->name, text(s, b));
        for (unsigned move = 0; move < 4; move++) {
            CHECK(reward[move] == (*k)->slide(s, b, (enum move)move, &to), "%s kernel: all rewards of %s",
                  (*k)->name, text(s, b));
            CHECK(board_equal(after[move], to), "%s kernel: all slides of %s", (*k)->name, text(s, b));
        }
    }
    CHECK(board_legal(s, b) == legal, "%s: %u and not %u", text(s, b), board_legal(s, b), legal);
    CHECK((board_legal(s, b) == 0) == grid_over(&before), "%s", text(s, b));
}

// All rows of four cells, tiles up to 131072, as each row and each column.
static void rows(void) {
    struct shape s;
    CHECK(shape_init(&s, 4, 4) == 0, "4x4");
    for (unsigned n = 0; n < 18 * 18 * 18 * 18; n++)
        for (unsigned place = 0; place < 8; place++) {
            struct board b = {0, 0};
            unsigned rest = n;
            for (unsigned i = 0; i < 4; i++, rest /= 18)
                b = board_put(b, place < 4 ? place * 4 + i : i * 4 + place - 4, rest % 18);
            compare(&s, b);
        }
}

// All boards of a shape with exponents below a bound.
static void all_boards(unsigned r, unsigned c, unsigned kinds) {
    struct shape s;
    CHECK(shape_init(&s, r, c) == 0, "%ux%u", r, c);
    unsigned long total = 1;
    for (unsigned i = 0; i < s.cells; i++) total *= kinds;
    for (unsigned long n = 0; n < total; n++) {
        struct board b = {0, 0};
        unsigned long rest = n;
        for (unsigned i = 0; i < s.cells; i++, rest /= kinds)
            b = board_put(b, i, (unsigned)(rest % kinds));
        compare(&s, b);
    }
}

static void small(void) {
    all_boards(1, 2, 18);
    all_boards(2, 1, 18);
    all_boards(1, 3, 18);
    all_boards(3, 1, 18);
    all_boards(2, 2, 18);
    all_boards(2, 3, 6);
    all_boards(3, 2, 6);
    all_boards(1, 5, 6);
    all_boards(6, 1, 5);
    all_boards(3, 3, 3);
}

static void shape_boards(struct shape *s) {
    struct rng r = rng_stream(s->rows, s->cols);
    compare(s, (struct board){0, 0});
    for (int i = 0; i < 40000; i++) compare(s, random_board(s, &r));
}

static void shapes(void) {
    each_shape(shape_boards);
    struct shape s;
    CHECK(shape_init(&s, 4, 4) == 0, "4x4");
    struct rng r = rng_stream(44, 0);
    for (int i = 0; i < 400000; i++) compare(&s, random_board(&s, &r));
}

// board_slide and board_put, board_cell, board_empty, board_max on known boards.
static void known(void) {
    struct shape s;
    struct board b, to;
    char name[BOARD_TEXT];
    CHECK(shape_init(&s, 4, 4) == 0, "4x4");
    CHECK(board_parse(&s, "32768,32768,65536,65536/2,2,2,2/0,4,0,4/131072,0,0,2", &b) == 0, "parse");
    CHECK(board_slide(&s, b, LEFT, &to) == 65536 + 131072 + 4 + 4 + 8, "reward");
    CHECK(strcmp(board_text(&s, to, name), "65536,131072,0,0/4,4,0,0/8,0,0,0/131072,2,0,0") == 0,
          "%s", name);
    CHECK(board_slide(&s, b, RIGHT, &to) == 65536 + 131072 + 4 + 4 + 8, "reward");
    CHECK(strcmp(board_text(&s, to, name), "0,0,65536,131072/0,0,4,4/0,0,0,8/0,0,131072,2") == 0,
          "%s", name);
    CHECK(board_max(&s, b) == 17 && board_age(&s, b) == 3 * 65536 + 16 + 131072 + 2, "age");
    CHECK(board_empty(&s, b) == 0x0110010100000000u, "empty %llx",
          (unsigned long long)board_empty(&s, b));
    CHECK(board_slide(&s, b, UP, &to) == 0, "reward");
    CHECK(strcmp(board_text(&s, to, name),
                 "32768,32768,65536,65536/2,2,2,2/131072,4,0,4/0,0,0,2") == 0, "%s", name);
}

// Whole random games, step by step against the reference.
static void play_shape(struct shape *s) {
    static uint8_t steps[3][MOST_STEPS];
    for (uint64_t seed = 0; seed < 40; seed++) {
        size_t n = 0;
        struct board start = {0, 0};
        for (const struct kernel *const *k = all_kernels(); *k; k++) {
            struct rng r = rng_stream(seed, s->rows * 17 + s->cols);
            struct board b = start = play_start(s, &r, play_p4(0.1)), end;
            size_t m = (*k)->random(s, &r, play_p4(0.1), &b, steps[k != all_kernels()]);
            CHECK(k == all_kernels() || (m == n && memcmp(steps[0], steps[1], n) == 0),
                  "kernels play different games");
            n = m;
            CHECK(board_legal(s, b) == 0, "the game is not over");
            uint32_t fours = 0, count = 0;
            end = start;
            for (size_t i = 0; i < n; i++) count += steps[0][i] >> 6;
            CHECK((*k)->replay(s, &end, steps[0], n, &fours) == n && board_equal(end, b) &&
                  fours == count, "%s kernel: replay", (*k)->name);
        }
        struct grid g = grid_of(s, start);
        for (size_t i = 0; i < n; i++) {
            struct grid before = g;
            uint8_t step = steps[0][i];
            grid_slide(&g, step_move(step));
            CHECK(!grid_equal(&g, &before), "step %zu does not move", i);
            long *cell = &g.tile[step_cell(step) / s->cols][step_cell(step) % s->cols];
            CHECK(step_cell(step) < s->cells && *cell == 0, "step %zu spawns on a tile", i);
            *cell = 1l << step_exponent(step);
        }
        CHECK(grid_over(&g), "the reference could go on");
    }
}

static void games(void) { each_shape(play_shape); }

// Each possible byte at each place of a game: legal for replay if and only if
// the reference allows it, and the state before it is kept.
static void replay_shape(struct shape *s) {
    static uint8_t steps[MOST_STEPS];
    struct rng r = rng_stream(5, s->rows * 17 + s->cols);
    struct board start = play_start(s, &r, play_p4(0.5)), b = start;
    size_t n = kernel_plain.random(s, &r, play_p4(0.5), &b, steps);
    if (n > 60) n = 60;
    b = start;
    for (size_t i = 0; i < n; i++) {
        for (unsigned step = 0; step < 256; step++) {
            struct grid g = grid_of(s, b), before = g;
            grid_slide(&g, step & 3);
            unsigned cell = step >> 2 & 15;
            int legal = !grid_equal(&g, &before) && cell < s->cells && step < 128 &&
                        g.tile[cell / s->cols][cell % s->cols] == 0;
            uint8_t byte = (uint8_t)step;
            for (const struct kernel *const *k = all_kernels(); *k; k++) {
                struct board to = b;
                uint32_t fours = 0;
                CHECK((*k)->replay(s, &to, &byte, 1, &fours) == (size_t)legal,
                      "%s kernel: step %02x on %s", (*k)->name, step, text(s, b));
                CHECK(legal || board_equal(to, b), "the state before it is lost");
                CHECK(fours == (legal ? step >> 6 : 0), "fours");
            }
        }
        uint32_t fours = 0;
        CHECK(kernel_plain.replay(s, &b, &steps[i], 1, &fours) == 1, "own step");
    }
}

static void replay(void) { each_shape(replay_shape); }

int main(int argc, char **argv) {
    static const struct check_case cases[] = {
        {"rows", rows},   {"small", small},   {"shapes", shapes}, {"known", known},
        {"games", games}, {"replay", replay}, {0}};
    return check_main(cases, argc, argv);
}
