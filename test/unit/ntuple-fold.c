// SPDX-License-Identifier: MIT
// Folded and averaged weights against the naive network of naive.h. Weights are
// small whole numbers, so that all sums are exact and values must be the same.
// The cases write files in the current folder.
#include "naive.h"
#include "ntuple/fold.h"
#include "ntuple/half.h"
#include "reference.h"

// A definition, and how many tuples stay.
struct folded {
    unsigned stay;
    const char *text;
};

static const struct folded networks[] = {
    {1, "board 2x2\nvalues 4\ntuple 0\ntuple 0 1\n"},
    {1, "board 1x4\nvalues 16\ntuple 3\ntuple 1 2 3\ntuple 0 1\ntuple 2\n"},
    {2, "board 2x3\nvalues 11\ntuple 0 1 2\ntuple 1 4 5\ntuple 5\ntuple 4 5\n"},
    // A tuple that several others contain, in several images, and one in itself.
    {2, "board 3x3\nvalues 11\ntuple 4\ntuple 0 1 3 4\ntuple 1 4\ntuple 8 5\ntuple 0 1 2 4\ntuple 1 3 4\n"},
    {1, "board 3x3\nvalues 11\ntuple 0 1 2\ntuple 6 7 8\ntuple 2 5 8\ntuple 0 2\n"},
    {2, "board 3x3\nvalues 8\ntuple 0 1 2\ntuple 3 4 5\n"}, // nothing to fold
    {1, "board 4x3\nvalues 11\ntuple 0 1 3 4\ntuple 10 7\ntuple 11 8\n"},
    {2, "board 4x3\nvalues 11\ntuple 0 1 3 4\ntuple 0 3 6\ntuple 0 1\n"}, // a rectangle turns by half only
    {5, "board 4x4\nvalues 4\ntuple 0 1 2 3 4 5\ntuple 4 5 6 7 8 9\ntuple 0 1 2 4 5 6\n"
        "tuple 4 5 6 8 9 10\ntuple 8 9 10 11 12 13\ntuple 0 1 2 3\ntuple 4 5 6 7\ntuple 0 1 4 5\n"
        "tuple 1 2 5 6\ntuple 5 6 9 10\ntuple 0 1 2\ntuple 4 5 6\n"},
    {2, "board 4x4\nvalues 16\ntuple 5 6 9\ntuple 10 5\ntuple 0 1 2 3\ntuple 2\ntuple 0 3\n"},
    // Splits and stages.
    {1, "board 3x3\nvalues 11\nsplit 1-5 6-10\ntuple 0 1 3 4\ntuple 0 1\ntuple 4\n"},
    {2, "board 3x3\nvalues 11\nsplit 1-4 4-7 7-10\ntuple 0 1 3\ntuple 1 4 5 8\ntuple 2\n"},
    {2, "board 4x4\nvalues 18\nsplit 1-9 10-17\nstages 32768\ntuple 0 1 2 3\ntuple 5 6\ntuple 4 5\ntuple 3\ntuple 4 5 6\n"},
    {1, "board 3x3\nvalues 11\nstages 2^3 256\ntuple 0 1 3 4\ntuple 1 4\ntuple 5 8\n"},
    {1, "board 2x3\nvalues 9\nstages 16 64\nsplit 1-1 2-4 5-8\ntuple 0 1 3\ntuple 5 4\n"},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

// A naive network with small numbers, and the same in a file. With promotion
// most weights of later stages are unused.
static struct naive *write_random(const char *text, const char *path, uint64_t seed, int promote,
                                  uint64_t moves) {
    struct naive *n = naive_new(text);
    struct layout *l = layout_new(&n->net);
    struct rng r = rng_stream(seed, 1);
    float *v = calloc(l->weights, sizeof *v);
    CHECK(l && v, "memory");
    n->promote = promote;
    naive_randomize(n, l, seed);
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t x = 0; x < n->size[t]; x++) {
            struct naive_weight *w = &n->table[t][x];
            w->used = t < n->each || rng_next(&r) % 4 == 0;
            w->v = (double)l->scale * (double)((int64_t)(w->v / (double)l->scale) % 64);
            v[naive_place(n, l, t, x)] = (float)w->v;
        }
    CHECK(weights_create_learned(path, &n->net, 12, v, moves, 3) == 0, "%s", fail_text());
    struct weights w;
    CHECK(weights_open(&w, path, WEIGHTS_ALONE) == 0, "%s", fail_text());
    for (unsigned t = 0; promote && t < n->tables; t++)
        for (size_t x = 0; x < n->size[t]; x++)
            if (!n->table[t][x].used) {
                w.v[naive_place(n, l, t, x)] = HALF_UNUSED;
                w.rest[naive_place(n, l, t, x)] = 99; // means nothing
            }
    CHECK(weights_close(&w) == 0, "%s", fail_text());
    free(v);
    layout_free(l);
    return n;
}

static double value_of(const struct weights *w, struct board b) {
    return (double)ntuple_kernel_plain.value(w->layout, w->v, b);
}

static void check_folded(unsigned i, int promote) {
    struct naive *n = write_random(networks[i].text, "a.w", i, promote, 77);
    struct rng r = rng_stream(i, 2);
    struct weights a, to;
    CHECK(weights_open(&a, "a.w", WEIGHTS_PLAY) == 0, "%s", fail_text());
    CHECK(fold_plan(&a.net).stay == networks[i].stay, "network %u: %u stay", i, fold_plan(&a.net).stay);
    CHECK(fold_weights(&a, "to.w") == 0, "%s", fail_text());
    CHECK(weights_open(&to, "to.w", WEIGHTS_PLAY) == 0 && weights_verify(&to) == 0, "%s", fail_text());
    CHECK(to.net.tuples == networks[i].stay, "network %u: %u tuples", i, to.net.tuples);
    CHECK(to.layout->features == to.net.tuples * network_splits(&n->net) * n->images, "network %u", i);
    struct weights_info info = weights_info(&to);
    CHECK(info.moves == 77 && info.episodes == 3 && info.init == 12 && !info.promoted, "network %u", i);
    for (unsigned j = 0; j < 3000; j++) {
        struct board b = random_board(&n->net.shape, &r);
        double want = naive_value(n, b), before = value_of(&a, b), after = value_of(&to, b);
        CHECK(before == want, "network %u: %g, not %g", i, before, want);
        CHECK(after == want, "network %u: %g became %g", i, want, after);
    }
    weights_close(&to);
    weights_close(&a);
    naive_free(n);
}

static void folds(void) {
    for (unsigned i = 0; i < NETWORKS; i++) check_folded(i, 0);
}

static void folds_promoted(void) {
    for (unsigned i = 0; i < NETWORKS; i++) check_folded(i, 1);
}

static void texts(void) {
    const char *text = "# first\nboard 3x3\r\n\nvalues 4 # four\n  tuple 0 1 # small\n# mid\n"
                       "\ttuple\t0 1 2\nstages 64\ntuple 8\n# last";
    const char *want = "# first\nboard 3x3\r\n\nvalues 4 # four\n# mid\n\ttuple\t0 1 2\nstages 64\n# last\n";
    struct network net, to;
    CHECK(network_parse(&net, "test", text, strlen(text)) == 0, "%s", fail_text());
    struct folding f = fold_plan(&net);
    CHECK(fold_network(&net, &f, &to) == 0, "%s", fail_text());
    CHECK(strcmp(to.text, want) == 0, "%s", to.text);
    network_free(&to);
    network_free(&net);
}

static void means(void) {
    for (unsigned i = 0; i < NETWORKS; i++) {
        struct naive *a = write_random(networks[i].text, "a.w", i, 0, 5);
        struct naive *b = write_random(networks[i].text, "b.w", i + 100, 1, 6);
        struct rng r = rng_stream(i, 3);
        struct weights to;
        char *paths[] = {"a.w", "b.w"};
        CHECK(fold_mean(paths, 2, "to.w") == 0, "%s", fail_text());
        CHECK(weights_open(&to, "to.w", WEIGHTS_PLAY) == 0 && weights_verify(&to) == 0, "%s", fail_text());
        struct weights_info info = weights_info(&to);
        CHECK(info.moves == 11 && info.episodes == 6 && info.init == 12 && !info.promoted, "network %u", i);
        for (unsigned j = 0; j < 2000; j++) {
            struct board x = random_board(&a->net.shape, &r);
            double want = (naive_value(a, x) + naive_value(b, x)) / 2, got = value_of(&to, x);
            CHECK(got == want, "network %u: %g, not %g", i, got, want);
        }
        weights_close(&to);
        naive_free(a);
        naive_free(b);
    }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"folds", folds},
                                              {"folds-promoted", folds_promoted},
                                              {"texts", texts},
                                              {"means", means},
                                              {NULL, NULL}};
    return check_main(cases, argc, argv);
}
