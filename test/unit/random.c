// SPDX-License-Identifier: MIT
#include "check.h"
#include "reference.h"

// Published outputs of the two generators.
static void vectors(void) {
    static const uint64_t split_mix[] = {6457827717110365317u, 3203168211198807973u,
                                         9817491932198370423u, 4593380528125082431u,
                                         16408922859458223821u};
    static const uint64_t xoshiro[] = {
        41943041u, 58720359u, 3588806011781223u, 3591011842654386u, 9228616714210784205u,
        9973669472204895162u, 14011001112246962877u, 12406186145184390807u,
        15849039046786891736u, 10450023813501588000u};
    uint64_t x = 1234567;
    for (int i = 0; i < 5; i++) CHECK(rng_mix(&x) == split_mix[i], "SplitMix64, output %d", i);
    struct rng r = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++) CHECK(rng_next(&r) == xoshiro[i], "xoshiro256++, output %d", i);
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Streams of near seeds and numbers have nothing in common.
static void streams(void) {
    enum { SIDE = 300 };
    static uint64_t first[SIDE * SIDE];
    for (uint64_t seed = 0; seed < SIDE; seed++)
        for (uint64_t i = 0; i < SIDE; i++) {
            struct rng r = rng_stream(seed, i);
            CHECK(r.s[0] | r.s[1] | r.s[2] | r.s[3], "the state is zero");
            first[seed * SIDE + i] = rng_next(&r);
        }
    qsort(first, SIDE * SIDE, sizeof *first, compare);
    for (int i = 1; i < SIDE * SIDE; i++) CHECK(first[i] != first[i - 1], "two streams are one");
}

// Three choices from one draw are each uniform and independent.
static void uniform(uint64_t (*split)(uint64_t *, uint64_t)) {
    static unsigned long count[3 * 5 * 16];
    struct rng r = rng_stream(9, 9);
    memset(count, 0, sizeof count);
    for (int i = 0; i < 1000000; i++) {
        uint64_t x = rng_next(&r), a = split(&x, 3), b = split(&x, 5), c = split(&x, 16);
        CHECK(a < 3 && b < 5 && c < 16, "a choice is out of range");
        count[(a * 5 + b) * 16 + c]++;
    }
    double chi = check_chi_square(count, 240);
    CHECK(chi < check_chi_bound(240), "chi-square %g", chi);
}

static void split(void) {
    uniform(rng_split);
    uniform(rng_split_narrow);
    struct rng r = rng_stream(1, 1);
    for (int i = 0; i < 1000000; i++) {
        uint64_t x = i == 0 ? 0 : i == 1 ? UINT64_MAX : rng_next(&r), y = x;
        uint64_t n = i & 1 ? 1 + (uint64_t)(i / 2 % 16) : 1 + (rng_next(&r) >> 32);
        if (n > UINT32_MAX) n = UINT32_MAX;
        CHECK(rng_split(&x, n) == rng_split_narrow(&y, n) && x == y, "the two ways differ");
    }
}

// p4 of 0 and 1 are exact, others within five deviations.
static void check_fours(double p4, unsigned long fours, unsigned long total) {
    double expected = p4 * (double)total, d = (double)fours - expected;
    if (p4 == 0 || p4 == 1)
        CHECK((double)fours == expected, "p4 %g: %lu of %lu", p4, fours, total);
    else
        CHECK(d * d < 25 * expected * (1 - p4), "p4 %g: %lu of %lu", p4, fours, total);
}

static const double probabilities[] = {0, 0.1, 0.5, 1};

// New games: both cells uniform over all pairs, 4s as often as asked for.
static void start_shape(struct shape *s) {
    for (int p = 0; p < 4; p++) {
        unsigned long pair[16 * 16] = {0}, fours = 0, total = 20000, pairs = 0;
        for (uint64_t i = 0; i < total; i++) {
            struct rng r = rng_stream(77 + (uint64_t)p, i);
            struct board b = play_start(s, &r, play_p4(probabilities[p]));
            unsigned cell[2], n = 0;
            for (unsigned c = 0; c < s->cells; c++) {
                unsigned e = board_cell(b, c);
                CHECK(e <= 2, "a start tile of 2^%u", e);
                if (e && n < 2) cell[n] = c;
                n += e != 0;
                fours += e == 2;
            }
            CHECK(n == 2, "%u start tiles", n);
            pair[cell[0] * s->cells + cell[1]]++;
        }
        for (unsigned i = 0; i < s->cells; i++)
            for (unsigned j = i + 1; j < s->cells; j++) pair[pairs++] = pair[i * s->cells + j];
        double chi = check_chi_square(pair, (unsigned)pairs);
        CHECK(chi < check_chi_bound((unsigned)pairs), "%ux%u: chi-square %g of the start cells",
              s->rows, s->cols, chi);
        check_fours(probabilities[p], fours, 2 * total);
    }
}

static void starts(void) { each_shape(start_shape); }

// The first step of random play from one board, many times: moves, then cells.
static void first_steps(const struct kernel *kernel, const char *text, double p4) {
    static uint8_t steps[MOST_STEPS];
    struct shape s;
    struct board b, after;
    CHECK(shape_init(&s, 3, 3) == 0 && board_parse(&s, text, &b) == 0, "%s", text);
    unsigned long moves[4] = {0}, cells[4][9] = {{0}}, fours = 0, total = 20000, n = 0;
    for (uint64_t i = 0; i < total; i++) {
        struct rng r = rng_stream(3, i);
        struct board start = b;
        CHECK(kernel->random(&s, &r, play_p4(p4), &start, steps) > 0, "no step");
        moves[step_move(steps[0])]++;
        cells[step_move(steps[0])][step_cell(steps[0])]++;
        fours += step_exponent(steps[0]) == 2;
    }
    check_fours(p4, fours, total);
    for (unsigned move = 0; move < 4; move++) {
        unsigned long spawned[9];
        unsigned empty = 0;
        board_slide(&s, b, (enum move)move, &after);
        CHECK(board_equal(after, b) == (moves[move] == 0), "%s: %s", text, move_names[move]);
        if (!moves[move]) continue;
        moves[n++] = moves[move];
        for (unsigned c = 0; c < 9; c++)
            if (board_cell(after, c) == 0)
                spawned[empty++] = cells[move][c];
            else
                CHECK(cells[move][c] == 0, "a tile appears on another");
        double chi = check_chi_square(spawned, empty);
        CHECK(chi < check_chi_bound(empty), "%s: chi-square %g of the cells", text, chi);
    }
    double chi = check_chi_square(moves, (unsigned)n);
    CHECK(chi < check_chi_bound((unsigned)n), "%s: chi-square %g of %lu moves", text, chi, n);
}

static void spawns(void) {
    for (const struct kernel *const *k = all_kernels(); *k; k++)
        for (int p = 0; p < 4; p++) {
            first_steps(*k, "0,0,0/0,2,0/0,0,0", probabilities[p]);
            first_steps(*k, "2,0,0/4,0,0/8,0,0", probabilities[p]);
            first_steps(*k, "2,4,8/16,0,0/0,0,0", probabilities[p]);
            first_steps(*k, "2,4,8/4,8,16/0,0,0", probabilities[p]);
            first_steps(*k, "2,4,8/4,8,16/8,4,4", probabilities[p]);
        }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"vectors", vectors}, {"streams", streams},
                                              {"split", split},     {"starts", starts},
                                              {"spawns", spawns},   {0}};
    return check_main(cases, argc, argv);
}
