// SPDX-License-Identifier: MIT
// Searches against a slow one: grids, every cell, every tile, every move, by the
// naive network. The cases write files in the current folder.
#include "naive.h"
#include "ntuple/weights.h"
#include "reference.h"
#include "search/advise.h"
#include "search/search.h"

// A network for a shape, with random weights in net.w.
struct setting {
    struct naive *naive;
    struct shape shape;
    struct evaluator *evaluator;
};

static void write_weights(const struct naive *n, const char *path) {
    struct layout *l = layout_new(&n->net);
    float *v = l ? calloc(l->weights, sizeof *v) : NULL;
    CHECK(v, "memory");
    for (unsigned t = 0; t < n->net.tuples; t++)
        for (size_t i = 0; i < n->size[t]; i++) v[naive_place(n, l, t, i)] = (float)n->table[t][i].v;
    CHECK(weights_create(path, &n->net, 0, v) == 0, "%s", fail_text());
    free(v);
    layout_free(l);
}

static struct setting set_up(const struct shape *s) {
    struct setting to = {.shape = *s};
    char text[256];
    int n = snprintf(text, sizeof text, "board %ux%u\nvalues 18\ntuple 0 1\n", s->rows, s->cols);
    if (s->cells > 2) snprintf(text + n, sizeof text - (size_t)n, "tuple 1 %u 0\ntuple %u\n", s->cells - 1, s->cells / 2);
    to.naive = naive_new(text);
    struct layout *l = layout_new(&to.naive->net);
    CHECK(l, "memory");
    naive_randomize(to.naive, l, s->rows * 100 + s->cols);
    layout_free(l);
    write_weights(to.naive, "net.w");
    to.evaluator = evaluator_open("net.w");
    CHECK(to.evaluator, "%s", fail_text());
    return to;
}

static void tear_down(struct setting *s) {
    evaluator_close(s->evaluator);
    naive_free(s->naive);
    remove("net.w");
}

static struct search_spec spec_of(const struct setting *set, unsigned plies) {
    struct search_spec spec = {.evaluator = set->evaluator, .plies = plies, .p4 = 0.1, .threads = 1};
    memset(spec.limit, SEARCH_PLIES, sizeof spec.limit);
    return spec;
}

static struct search_answer ask(const struct search_spec *spec, struct board b) {
    struct search_answer a;
    struct search *s = search_new(spec);
    CHECK(s, "%s", fail_text());
    CHECK(search_state(s, b, &a) == 0, "%s", fail_text());
    search_free(s);
    return a;
}

static struct board board_of(const struct grid *g) {
    struct board b = {0, 0};
    for (int i = 0; i < g->rows * g->cols; i++) {
        long tile = g->tile[i / g->cols][i % g->cols];
        b = board_put(b, (unsigned)i, tile ? (unsigned)__builtin_ctzl((unsigned long)tile) : 0);
    }
    return b;
}

static int empty_cells(const struct grid *g) {
    int n = 0;
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->cols; c++) n += g->tile[r][c] == 0;
    return n;
}

// The slow search. It returns what a state is worth when so many plies are left
// and it was this likely to come to it.
struct slow {
    const struct naive *naive;
    const struct search_spec *spec;
    uint64_t visits;
};

static double slow_state(struct slow *s, const struct grid *g, unsigned plies, int quarters, double worth[4]);

// Plies left behind an afterstate.
static double slow_afterstate(struct slow *s, const struct grid *g, unsigned plies, int quarters) {
    int empty = empty_cells(g);
    unsigned most = s->spec->limit[empty] - 1u;
    double sum = 0, p4 = s->spec->p4;
    if (plies > most) plies = most;
    if (plies == 0) {
        s->visits++;
        return naive_value(s->naive, board_of(g));
    }
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->cols; c++)
            for (long tile = 2; tile <= 4 && g->tile[r][c] == 0; tile += 2) {
                double p = tile == 2 ? 1 - p4 : p4;
                if (p <= 0) continue;
                struct grid state = *g;
                state.tile[r][c] = tile;
                int q = quarters + (int)lround(-4 * log2(p / empty));
                // What is too unlikely is only looked at greedily.
                int cut = s->spec->cutoff > 0 && exp2(-0.25 * q) < s->spec->cutoff * (1 - 1e-12);
                sum += p * slow_state(s, &state, cut ? 1 : plies, q, NULL);
            }
    return sum / empty;
}

static double slow_state(struct slow *s, const struct grid *g, unsigned plies, int quarters,
                         double worth[4]) {
    double best = -INFINITY;
    for (unsigned m = 0; m < 4; m++) {
        struct grid after = *g;
        long reward = grid_slide(&after, m);
        if (grid_equal(&after, g)) continue;
        double x = (double)reward + slow_afterstate(s, &after, plies - 1, quarters);
        if (worth) worth[m] = x;
        if (x > best) best = x;
    }
    return best > -INFINITY ? best : 0;
}

// Compares an answer with the slow search.
static void compare(const struct setting *set, const struct search_spec *spec, struct board b) {
    struct search_answer a = ask(spec, b);
    struct slow slow = {.naive = set->naive, .spec = spec};
    double worth[4] = {NAN, NAN, NAN, NAN}, scale = 1;
    struct grid g = grid_of(&set->shape, b);
    char text[BOARD_TEXT];
    double best = slow_state(&slow, &g, spec->plies, 0, worth);
    board_text(&set->shape, b, text);
    for (unsigned m = 0; m < 4; m++) {
        CHECK((a.legal >> m & 1) == !isnan(worth[m]), "%s: move %u", text, m);
        if (isnan(worth[m])) continue;
        if (fabs(worth[m]) > scale) scale = fabs(worth[m]);
    }
    // The sums of a network's values may lose what a float cannot hold.
    for (unsigned m = 0; m < 4; m++)
        CHECK(isnan(worth[m]) || fabs(a.value[m] - worth[m]) < 1e-6 * scale,
              "%s, %u plies, p4 %g, cutoff %g, move %u: %.9g, slowly %.9g", text, spec->plies, spec->p4,
              spec->cutoff, m, a.value[m], worth[m]);
    if (!a.legal) return;
    CHECK(a.plies == spec->plies && worth[a.best] >= best - 1e-6 * scale, "%s: not the best move", text);
    for (unsigned m = 0; m < (unsigned)a.best; m++)
        CHECK(isnan(worth[m]) || a.value[m] < a.value[a.best], "%s: not the first of equals", text);
}

// A board with at most so many empty cells, that the slow search may end.
static struct board crowded(const struct shape *s, struct rng *r, unsigned most) {
    struct board b = random_board(s, r);
    for (unsigned i = 0, empty = 0; i < s->cells; i++) {
        if (board_cell(b, i)) continue;
        if (++empty > most) b = board_put(b, i, 1 + (unsigned)(rng_next(r) % 5));
    }
    return b;
}

// Empty cells that searches of so many plies are tried with.
static const unsigned most_empty[] = {0, 15, 15, 4, 2};

static void compare_shape(struct shape *s) {
    static const double p4s[] = {0.1, 0.1, 0.5, 0, 1};
    struct setting set = set_up(s);
    struct rng r = rng_stream(5, s->rows * 16 + s->cols);
    for (unsigned plies = 1; plies <= 4; plies++)
        for (unsigned i = 0; i < (plies > 3 ? 10 : 20); i++) {
            struct search_spec spec = spec_of(&set, plies);
            spec.p4 = p4s[i % 5];
            if (i % 2) spec.table = TABLE_LEAST;
            compare(&set, &spec, crowded(s, &r, most_empty[plies]));
        }
    tear_down(&set);
}

static void reference(void) { each_shape(compare_shape); }

// Limits by empty cells, and cutoffs.
static void compare_limited(struct shape *s) {
    static const char *const lists[] = {"0-:1", "0:4,1:3,2-:2", "0-1:4,2-3:3,4-:1", "3-:2,5:4"};
    static const double cutoffs[] = {0, 1, 0.05, 0.01, 1e-4, 1e-9};
    if (s->cells % 3 || s->cells < 4) return; // some will do
    struct setting set = set_up(s);
    struct rng r = rng_stream(6, s->rows * 16 + s->cols);
    for (unsigned i = 0; i < 48; i++) {
        unsigned plies = 2 + i % 3;
        struct search_spec spec = spec_of(&set, plies);
        if (i % 2) CHECK(search_parse_limit(lists[i / 2 % 4], spec.limit) == 0, "%s", fail_text());
        spec.cutoff = cutoffs[i / 2 % 6];
        if (i % 5 < 2) spec.table = TABLE_LEAST;
        compare(&set, &spec, crowded(s, &r, most_empty[plies]));
    }
    tear_down(&set);
}

static void limits(void) { each_shape(compare_limited); }

// Tables and threads do not change a bit, of values and of the move; a search
// that has been used before answers as a new one.
static void same_shape(const struct shape *s) {
    struct setting set = set_up(s);
    struct rng r = rng_stream(7, s->rows * 16 + s->cols);
    struct search_spec spec = spec_of(&set, 0);
    struct search *used[2];
    for (unsigned i = 0; i < 24; i++) {
        spec = spec_of(&set, 3 + i % 3);
        spec.cutoff = i % 4 == 3 ? 0.003 : 0;
        spec.plies += spec.cutoff > 0;
        struct board b = crowded(s, &r, i % 3 == 2 ? 1 : 4);
        struct search_answer plain = ask(&spec, b);
        for (unsigned k = 0; k < 4; k++) {
            spec.table = k & 1 ? (uint64_t)TABLE_LEAST << k : 0;
            spec.threads = k & 2 ? 3 : 1;
            struct search_answer other = ask(&spec, b);
            CHECK(memcmp(plain.value, other.value, sizeof plain.value) == 0 && plain.best == other.best,
                  "%u: %ux%u, table %d, threads %u", i, s->rows, s->cols, k & 1, spec.threads);
        }
    }
    for (unsigned k = 0; k < 2; k++) {
        spec = spec_of(&set, 4);
        spec.table = k ? TABLE_LEAST : 0;
        used[k] = search_new(&spec);
        CHECK(used[k], "%s", fail_text());
    }
    for (unsigned i = 0; i < 20; i++) {
        struct board b = crowded(s, &r, 3);
        struct search_answer a[2];
        for (unsigned k = 0; k < 2; k++) CHECK(search_state(used[k], b, &a[k]) == 0, "%s", fail_text());
        CHECK(memcmp(a[0].value, a[1].value, sizeof a[0].value) == 0, "%u: %ux%u, used", i, s->rows, s->cols);
        CHECK(a[1].nodes <= a[0].nodes, "a table finds more work");
    }
    for (unsigned k = 0; k < 2; k++) search_free(used[k]);
    tear_down(&set);
}

static void same(void) {
    static const char *const shapes[] = {"2x3", "2x5", "4x3", "4x4"};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct shape s;
        CHECK(shape_parse(shapes[i], &s) == 0, "%s", fail_text());
        same_shape(&s);
    }
}

// What is put in a table is found as it was, or not at all; keys that differ in
// the board or in what are different.
static void table(void) {
    struct table *t = table_new(TABLE_LEAST);
    CHECK(t && t->bytes == TABLE_LEAST, "%s", fail_text());
    struct rng r = rng_stream(8, 0);
    enum { N = 200000 };
    uint64_t *board = calloc(N, sizeof *board), found = 0;
    double value;
    CHECK(board, "memory");
    for (unsigned i = 0; i < N; i++) {
        board[i] = rng_next(&r);
        for (unsigned k = 0; k < 8; k++) { // neighbours of all kinds, none of them put
            unsigned what = 1 + (unsigned)(rng_next(&r) % ((1 << TABLE_WHAT) - 1));
            CHECK(!table_get(table_find(t, board[i] ^ (uint64_t)1 << (rng_next(&r) & 63), what), &value),
                  "found what was not put");
        }
        unsigned what = 1 + i % ((1 << TABLE_WHAT) - 1);
        if (i % 5000 == 0) table_age(t);
        CHECK(!table_get(table_find(t, board[i], what), &value), "found before it was put");
        table_put(t, table_find(t, board[i], what), (double)i);
        CHECK(table_get(table_find(t, board[i], what), &value) && value >= i && value <= i, "not there");
        CHECK(!table_get(table_find(t, board[i], what ^ (1u << i % TABLE_WHAT)), &value), "what does not count");
    }
    for (unsigned i = 0; i < N; i++)
        if (table_get(table_find(t, board[i], 1 + i % ((1 << TABLE_WHAT) - 1)), &value)) {
            CHECK(value >= i && value <= i, "another value");
            found++;
        }
    CHECK(found > TABLE_LEAST / 16 * 7 / 10 && found <= TABLE_LEAST / 16, "%lu are left", (unsigned long)found);
    free(board);
    table_free(t);
}

// What took more work stays, until it is old.
static void replacement(void) {
    struct table *t = table_new(TABLE_LEAST);
    CHECK(t, "%s", fail_text());
    struct table_place deep = table_find(t, 12345, 7);
    double value;
    table_put(t, deep, 1);
    uint64_t board = 0;
    for (unsigned n = 0; n < 20; board++) { // many that need the same room
        struct table_place other = table_find(t, board, 3);
        if (other.bucket != deep.bucket) continue;
        table_put(t, other, 2);
        n++;
    }
    CHECK(table_get(deep, &value) && value >= 1 && value <= 1, "lost");
    table_age(t);
    for (unsigned n = 0; n < 4; board++) {
        struct table_place other = table_find(t, board, 3);
        if (other.bucket != deep.bucket) continue;
        table_put(t, other, 2);
        n++;
    }
    CHECK(!table_get(deep, &value), "stays for ever");
    table_free(t);
    CHECK(!table_new((uint64_t)1 << 50) && strstr(fail_text(), "memory"), "%s", fail_text());
}

static void downgraded(const char *from, unsigned exponent, const char *to) {
    struct shape s;
    struct board b;
    char text[BOARD_TEXT];
    CHECK(shape_init(&s, 2, 4) == 0 && board_parse(&s, from, &b) == 0, "%s: %s", from, fail_text());
    board_text(&s, search_downgrade(&s, b, exponent), text);
    CHECK(strcmp(text, to) == 0, "%s becomes %s, not %s", from, text, to);
}

static void downgrade(void) {
    downgraded("512,256,64,32/4,2,0,0", 10, "512,256,64,32/4,2,0,0");
    downgraded("512,256,64,32/4,2,0,0", 9, "256,128,64,32/4,2,0,0");
    downgraded("512,256,64,32/4,2,0,0", 8, "128,64,32,16/4,2,0,0"); // 128, then 8 (twice)
    downgraded("64,32,16,8/4,2,0,0", 5, "64,32,16,8/4,2,0,0");      // none is missing
    downgraded("64,64,16,8/4,2,0,0", 6, "32,32,16,8/4,2,0,0");
    downgraded("0,0,64,0/0,0,0,0", 3, "0,0,4,0/0,0,0,0");
    // What can be moved and merged stays the same on every board.
    struct shape s;
    struct rng r = rng_stream(9, 0);
    CHECK(shape_init(&s, 4, 4) == 0, "%s", fail_text());
    for (unsigned i = 0; i < 20000; i++) {
        struct board b = random_board(&s, &r), d = search_downgrade(&s, b, 3 + i % 15);
        CHECK(board_max(&s, d) <= board_max(&s, b), "grows");
        for (unsigned c = 0; c < 16; c++)
            for (unsigned e = 0; e < 16; e++)
                CHECK((board_cell(b, c) < board_cell(b, e)) == (board_cell(d, c) < board_cell(d, e)),
                      "another order");
        for (int m = 0; m < 4; m++) {
            struct board x, y;
            board_slide(&s, b, (enum move)m, &x);
            board_slide(&s, d, (enum move)m, &y);
            CHECK(board_empty(&s, x) == board_empty(&s, y), "another game");
        }
    }
}

static void limit_texts(void) {
    uint8_t limit[MOST_CELLS + 1] = {0};
    CHECK(search_parse_limit("0-3:4,4-7:3,8-:2", limit) == 0, "%s", fail_text());
    for (unsigned i = 0; i <= MOST_CELLS; i++) CHECK(limit[i] == (i < 4 ? 4 : i < 8 ? 3 : 2), "%u: %u", i, limit[i]);
    CHECK(search_parse_limit("5:15", limit) == 0 && limit[5] == 15 && limit[4] == 3 && limit[6] == 3, "one");
    CHECK(search_parse_limit("16:1,0-16:9", limit) == 0 && limit[16] == 9 && limit[0] == 9, "the last counts");
    static const char *const bad[] = {"", ":", "3", "3:", "3:0", "3:16", "17:2", "-3:2", "4-3:2", "3-17:2", "3:2,",
                                      ",3:2", "3:2;4:1", "3 :2", "3:2:1", "x:2", "3-x:2", "3:x", "1-2-3:2"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(search_parse_limit(bad[i], limit) && *fail_text(), "'%s' is taken", bad[i]);
}

static void impossible_is(unsigned rows, unsigned cols, const char *text, int impossible) {
    struct shape s;
    struct board b;
    CHECK(shape_init(&s, rows, cols) == 0 && board_parse(&s, text, &b) == 0, "%s", fail_text());
    CHECK(!advise_impossible(&s, b) == !impossible, "%s", text);
}

// The largest tiles that a game can come to, one by one, and one too many.
static void possible(void) {
    impossible_is(2, 2, "0,0/0,0", 1);
    impossible_is(2, 2, "2,0/0,0", 1);
    impossible_is(2, 2, "2,2/0,0", 0);
    impossible_is(2, 2, "8,8/0,0", 1);
    impossible_is(2, 2, "32,4/0,0", 0);
    impossible_is(2, 2, "32,16/8,4", 0);
    impossible_is(2, 2, "32,32/2,0", 1);
    impossible_is(2, 2, "64,2/0,0", 1);
    impossible_is(2, 2, "16,16/8,4", 0);
    impossible_is(2, 2, "16,16/16,4", 1);
    impossible_is(4, 4, "131072,65536,32768,16384/8192,4096,2048,1024/512,256,128,64/32,16,8,4", 0);
    impossible_is(4, 4, "131072,131072,0,0/0,0,0,0/0,0,0,0/0,0,0,2", 1);
    // Whatever is played comes to possible states.
    struct shape s;
    CHECK(shape_init(&s, 2, 3) == 0, "%s", fail_text());
    for (uint64_t i = 0; i < 3000; i++) {
        struct rng r = rng_stream(10, i);
        struct board b = play_start(&s, &r, play_p4(0.5));
        for (unsigned legal; (legal = board_legal(&s, b));) {
            CHECK(!advise_impossible(&s, b), "a game came to it");
            unsigned m = (unsigned)(rng_next(&r) & 3);
            while (!(legal >> m & 1)) m = (m + 1) & 3;
            board_slide(&s, b, (enum move)m, &b);
            k_spawn(&s, &b, rng_next(&r), play_p4(0.5));
        }
    }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {
        {"reference", reference}, {"limits", limits},       {"same", same},
        {"table", table},         {"replacement", replacement}, {"downgrade", downgrade},
        {"limit-texts", limit_texts}, {"possible", possible}, {NULL, NULL}};
    return check_main(cases, argc, argv);
}
