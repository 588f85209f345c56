// SPDX-License-Identifier: MIT
// Where weights stand, and the values that boards get from them, against the
// naive network of naive.h.
#include "naive.h"
#include "ntuple/half.h"
#include "reference.h"

// Networks of all kinds; those with more than eight cells a tuple need two parts.
static const char *const networks[] = {
    "board 2x2\nvalues 4\ntuple 0\n",
    "board 2x2\nvalues 16\ntuple 0 1\ntuple 0 3\n",
    "board 1x4\nvalues 16\ntuple 0 1\ntuple 1 2 3\ntuple 3\n",
    "board 4x1\nvalues 5\ntuple 0 1 2 3\n",
    "board 2x3\nvalues 11\ntuple 0 1 2\ntuple 1 4 5\ntuple 3 1 5\n",
    "board 2x3\nvalues 8\ntuple 0 1 2 3\ntuple 2 1 0 3 4\ntuple 5 4 3 2\n",
    "board 3x3\nvalues 11\ntuple 0 1 3 4\ntuple 0 1 2 4\ntuple 1 3 4 5\n",
    "board 3x3\nvalues 11\ntuple 4 0 1 3\ntuple 5 4 3 1\ntuple 8 7 6 4\ntuple 2\ntuple 2\n",
    "board 3x3\nvalues 4\ntuple 0 1 2 3 4 5 6\ntuple 1 2 3 4 5 6 7\ntuple 0 1 2 3 4 5 8\n",
    "board 3x3\nvalues 3\ntuple 8 7 6 5 4 3 2 1 0\ntuple 0 1 2 3 4 5 6 7\n",
    "board 3x3\nvalues 16\ntuple 0 1 2\ntuple 3 4 5\ntuple 0 4 8\ntuple 2 4 7\ntuple 0 1 2\n",
    "board 4x3\nvalues 11\ntuple 0 1 3 4\ntuple 4 7 10 1\ntuple 9 10 11 6\n",
    "board 4x3\nvalues 4\ntuple 0 1 2 3 4 5 6 7 8 9\ntuple 2 3 4 5 6 7 8 9 10 11\n",
    "board 3x4\nvalues 18\ntuple 0 1 2\ntuple 0 1 4\ntuple 11 10 6\n",
    "board 4x4\nvalues 16\ntuple 0 1 2\ntuple 0 1 4\ntuple 5 6 9\ntuple 15 10 5\n",
    "board 4x4\nvalues 18\ntuple 0 1 2 3\ntuple 4 5 6 7\ntuple 3 2 1 4\n",
    "board 4x4\nvalues 16\ntuple 0 1 2 3 4\ntuple 4 5 6 7 8\ntuple 0 1 2 4 5\ntuple 4 5 6 8 9\n",
    "board 4x4\nvalues 17\ntuple 15\ntuple 5 0\ntuple 1 2 3\n",
    "board 4x4\nvalues 2\ntuple 0 1 2 3 4 5 6 7 8 9 10 11\ntuple 0 1 2 3 4 5 6 7 8 9 10 15\n",
    "board 4x4\nvalues 3\ntuple 3 7 11 15 14 13 12 8 4\ntuple 0 5 10 15 1 2 3 6 9\n",
    // Splits, with and without overlap, and stages of both kinds.
    "board 3x3\nvalues 11\nsplit 1-5 6-10\ntuple 0 1 3 4\ntuple 0 1 2 4\n",
    "board 3x3\nvalues 11\nsplit 1-4 4-7 7-10\ntuple 0 1 3\ntuple 1 4 5 8\ntuple 2\n",
    "board 2x3\nvalues 9\nsplit 1-1 2-4 5-8\ntuple 0 1 3\ntuple 1 4 5\ntuple 2 0\n",
    "board 4x4\nvalues 18\nsplit 1-9 10-17\nstages 32768\ntuple 0 1 2 3\ntuple 0 1 2 4\ntuple 5 6\n",
    "board 4x4\nvalues 16\nstages 2^4\ntuple 0 1 2 3\ntuple 0 1 4 5\n",
    "board 4x4\nvalues 18\nsplit 1-5 6-9 10-13 14-17\nstages 1024 16384 131072\ntuple 0 1 2\ntuple 4 5 6\n",
    "board 3x3\nvalues 16\nsplit 1-14 9-15\nstages 2^2 512\ntuple 0 1\ntuple 4 3\n",
    "board 4x4\nvalues 4\nsplit 1-2 3-3\nstages 2^1 65536\ntuple 0 1 2 4 5 6 8 9 10\n",
};
enum { NETWORKS = sizeof networks / sizeof *networks };

static struct layout *must_layout(const struct network *net) {
    struct layout *l = layout_new(net);
    CHECK(l, "%s", fail_text());
    return l;
}

// No two entries of the tables stand in one place, and all within the weights.
static void places(void) {
    for (unsigned i = 0; i < NETWORKS; i++) {
        struct naive *n = naive_new(networks[i]);
        struct layout *l = must_layout(&n->net);
        CHECK(l->features == n->each * n->images, "network %u: %u features", i, l->features);
        uint8_t *taken = calloc(l->weights, 1);
        uint64_t entries = 0;
        CHECK(taken, "memory");
        for (unsigned t = 0; t < n->tables; t++)
            for (size_t x = 0; x < n->size[t]; x++, entries++) {
                uint32_t at = naive_place(n, l, t, x);
                CHECK(at < l->weights, "network %u, tuple %u: %zu stands at %u", i, t, x, at);
                CHECK(!taken[at], "network %u, tuple %u: %zu shares place %u", i, t, x, at);
                taken[at] = 1;
            }
        CHECK(entries == network_parameters(&n->net), "network %u", i);
        CHECK(l->weights < entries + 16 * n->tables, "network %u: much padding", i);
        free(taken);
        layout_free(l);
        naive_free(n);
    }
}

// Partners are mutual, share all cells but one after turning, and stand side by
// side wherever the shared cells agree.
static void pairs(void) {
    unsigned found = 0;
    for (unsigned i = 0; i < NETWORKS; i++) {
        struct naive *n = naive_new(networks[i]);
        struct layout *l = must_layout(&n->net);
        for (unsigned t = 0; t < n->each; t++) {
            unsigned p = l->partner[t];
            CHECK(p < n->each && l->partner[p] == t, "network %u: %u and %u", i, t, p);
            const struct placing *a = &l->table[t], *b = &l->table[p];
            CHECK(a->n == n->net.tuple[t % n->net.tuples].n && a->scale == (p == t ? 1u : 2u), "network %u", i);
            if (p == t) continue;
            found++;
            CHECK(a->n == b->n && (a->base ^ b->base) == 1, "network %u: %u and %u", i, t, p);
            CHECK(a->cell[0] != b->cell[0], "network %u: the first cells of %u and %u", i, t, p);
            CHECK(memcmp(a->cell + 1, b->cell + 1, a->n - 1) == 0, "network %u: %u and %u", i, t, p);
        }
        layout_free(l);
        naive_free(n);
    }
    CHECK(found >= 20, "only %u tuples have partners", found);
    // The standard network: two pairs, as the rectangles are neighbours too.
    struct naive *n = naive_new("board 4x4\nvalues 4\ntuple 0 1 2 3 4 5\ntuple 4 5 6 7 8 9\n"
                                "tuple 0 1 2 4 5 6\ntuple 4 5 6 8 9 10\n");
    struct layout *l = must_layout(&n->net);
    for (unsigned t = 0; t < 4; t++) CHECK(l->partner[t] != t, "tuple %u has no partner", t);
    layout_free(l);
    naive_free(n);
}

static uint16_t *weights_of(const struct naive *n, const struct layout *l) {
    uint16_t *v = aligned_alloc(64, (l->weights * sizeof *v + 63) / 64 * 64);
    CHECK(v, "memory");
    // What is between the tables must never be read.
    for (uint64_t i = 0; i < l->weights; i++) v[i] = half_write(NAN);
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t x = 0; x < n->size[t]; x++)
            v[naive_place(n, l, t, x)] = half_write((float)n->table[t][x].v / l->scale);
    return v;
}

static void check_value(const struct naive *n, const struct layout *l, const uint16_t *v,
                        struct board b, unsigned i) {
    double want = naive_value(n, b);
    char text[BOARD_TEXT];
    for (const struct ntuple_kernel *const *k = all_ntuple_kernels(); *k; k++) {
        double got = (double)(*k)->value(l, v, b);
        CHECK(got == want, "network %u, %s: %g, not %g", i, board_text(&n->net.shape, b, text), got, want);
    }
}

// Random boards have tiles up to 131072, beyond the last value of most networks.
static void values(void) {
    struct rng r = rng_stream(3, 0);
    for (unsigned i = 0; i < NETWORKS; i++) {
        struct naive *n = naive_new(networks[i]);
        struct layout *l = must_layout(&n->net);
        naive_randomize(n, l, i);
        uint16_t *v = weights_of(n, l);
        const struct shape *s = &n->net.shape;
        for (unsigned j = 0; j < 3000; j++) check_value(n, l, v, random_board(s, &r), i);
        for (unsigned e = 0; e <= MOST_EXPONENT; e++) {
            struct board b = {0, 0};
            for (unsigned c = 0; c < s->cells; c++) b = board_put(b, c, e);
            check_value(n, l, v, b, i);
        }
        free(v);
        layout_free(l);
        naive_free(n);
    }
}

// Weights that a stage has not used are those of the stage before, or of the
// one before that.
static void promoted(void) {
    struct rng r = rng_stream(5, 0);
    for (unsigned i = 0; i < NETWORKS; i++) {
        if (!strstr(networks[i], "stages")) continue;
        struct naive *n = naive_new(networks[i]);
        struct layout *l = must_layout(&n->net);
        naive_randomize(n, l, i);
        n->promote = 1;
        for (unsigned t = 0; t < n->tables; t++)
            for (size_t x = 0; x < n->size[t]; x++) n->table[t][x].used = t < n->each || rng_next(&r) % 3 == 0;
        uint16_t *v = weights_of(n, l);
        for (unsigned t = n->each; t < n->tables; t++)
            for (size_t x = 0; x < n->size[t]; x++)
                if (!n->table[t][x].used) v[naive_place(n, l, t, x)] = HALF_UNUSED;
        for (unsigned j = 0; j < 3000; j++) check_value(n, l, v, random_board(&n->net.shape, &r), i);
        free(v);
        layout_free(l);
        naive_free(n);
    }
}

static void symmetric(void) {
    struct rng r = rng_stream(4, 0);
    for (unsigned i = 0; i < NETWORKS; i++) {
        struct naive *n = naive_new(networks[i]);
        struct layout *l = must_layout(&n->net);
        naive_randomize(n, l, i);
        uint16_t *v = weights_of(n, l);
        for (unsigned j = 0; j < 300; j++) {
            struct board b = random_board(&n->net.shape, &r);
            for (const struct ntuple_kernel *const *k = all_ntuple_kernels(); *k; k++) {
                float value = (*k)->value(l, v, b);
                for (unsigned m = 0; m < n->images; m++) {
                    struct board image = {0, 0};
                    for (unsigned c = 0; c < n->net.shape.cells; c++)
                        image = board_put(image, c, board_cell(b, n->image[m][c]));
                    CHECK((*k)->value(l, v, image) == value, "network %u, image %u", i, m);
                }
            }
        }
        free(v);
        layout_free(l);
        naive_free(n);
    }
}

// With as many values as there are tiles 65536 and 131072 differ; with 16 both
// count as 32768.
static void last_values(void) {
    for (unsigned count = 16; count <= 18; count++) {
        char text[64];
        snprintf(text, sizeof text, "board 4x4\nvalues %u\ntuple 0 1\n", count);
        struct naive *n = naive_new(text);
        struct layout *l = must_layout(&n->net);
        naive_randomize(n, l, count);
        uint16_t *v = weights_of(n, l);
        for (const struct ntuple_kernel *const *k = all_ntuple_kernels(); *k; k++) {
            float value[3];
            for (unsigned e = 15; e <= 17; e++)
                value[e - 15] = (*k)->value(l, v, board_put((struct board){0, 0}, 0, e));
            CHECK((value[0] == value[1]) == (count < 17), "%u values: 65536 and 32768", count);
            CHECK((value[1] == value[2]) == (count < 18), "%u values: 131072 and 65536", count);
        }
        free(v);
        layout_free(l);
        naive_free(n);
    }
}

// The first move of the largest reward plus value, decided by whole numbers that
// floats hold exactly.
static unsigned naive_best(const struct naive *n, struct board b) {
    unsigned best = 4;
    double most = 0;
    for (unsigned m = 0; m < 4; m++) {
        struct board after;
        double x = board_slide(&n->net.shape, b, (enum move)m, &after);
        if (board_equal(after, b)) continue;
        x += naive_value(n, after);
        if (best == 4 || x > most) {
            best = m;
            most = x;
        }
    }
    return best;
}

// Any number of games at a time, from a fresh, a late or a finished start.
static void greedy(void) {
    static const unsigned counts[] = {1, 2, 3, 4, 5, 7, 33};
    struct rng r = rng_stream(5, 0);
    for (unsigned i = 0; i < NETWORKS; i++) {
        struct naive *n = naive_new(networks[i]);
        const struct shape *s = &n->net.shape;
        struct layout *l = must_layout(&n->net);
        naive_randomize(n, l, i);
        uint16_t *v = weights_of(n, l);
        uint8_t *steps = malloc((size_t)33 * MOST_STEPS);
        CHECK(steps, "memory");
        for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) {
            uint64_t seed = rng_next(&r);
            for (const struct ntuple_kernel *const *k = all_ntuple_kernels(); *k; k++) {
                struct game game[33];
                struct board start[33];
                for (unsigned g = 0; g < counts[c]; g++) {
                    struct rng own = rng_stream(seed, g);
                    game[g] = (struct game){.rng = own, .step = steps + (size_t)g * MOST_STEPS};
                    start[g] = g % 3 == 1 ? random_board(s, &own) : play_start(s, &own, play_p4(0.1));
                    game[g].board = start[g];
                }
                (*k)->greedy(l, v, play_p4(0.1), game, counts[c]);
                for (unsigned g = 0; g < counts[c]; g++) {
                    struct board b = start[g];
                    for (size_t t = 0; t < game[g].steps; t++) {
                        uint8_t step = game[g].step[t];
                        CHECK(step_move(step) == naive_best(n, b), "network %u, game %u of %u, step %zu", i,
                              g, counts[c], t);
                        board_slide(s, b, step_move(step), &b);
                        b = board_put(b, step_cell(step), step_exponent(step));
                    }
                    CHECK(board_equal(b, game[g].board), "network %u: the end of game %u", i, g);
                    CHECK(board_legal(s, b) == 0, "network %u: game %u goes on", i, g);
                }
            }
        }
        free(steps);
        free(v);
        layout_free(l);
        naive_free(n);
    }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"places", places},
                                              {"pairs", pairs},
                                              {"values", values},
                                              {"promoted", promoted},
                                              {"symmetric", symmetric},
                                              {"last-values", last_values},
                                              {"greedy", greedy},
                                              {NULL, NULL}};
    return check_main(cases, argc, argv);
}
