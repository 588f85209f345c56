// SPDX-License-Identifier: MIT
// Where episodes start: each start of a stream against what the episodes before
// it lead to, by the naive rules of reference.h. Cases write in the current folder.
#include "episode/starts.h"

#include <unistd.h>

#include "check.h"
#include "episode/generate.h"
#include "reference.h"
#include "util/fail.h"

enum { SEED = 3, MOST = 8000 };

struct record {
    struct board start;
    enum episode_start how;
    uint32_t steps;
    uint8_t *step;
};

struct stream {
    struct shape shape;
    unsigned n;
    struct record record[MOST];
};

static struct generate spec_of(const struct starts_spec *starts, unsigned n, unsigned threads) {
    return (struct generate){.player = &player_random, .episodes = n, .moves = UINT64_MAX,
                             .threads = threads, .starts = *starts};
}

static int generate(const char *board, const struct generate *g, const char *path) {
    struct episode_header h = {.p4 = 0.1, .seed = SEED, .player = "test"};
    uint64_t episodes, moves;
    CHECK(shape_parse(board, &h.shape) == 0, "%s", board);
    struct out *out = out_open(path, OUT_BINARY);
    CHECK(out, "%s", fail_text());
    int status = episode_generate(g, &h, out, &episodes, &moves);
    if (status) return out_abort(out), status;
    CHECK(out_close(out) == 0, "%s", fail_text());
    return 0;
}

// The episodes of the file; reading replays and checks them.
static struct stream *load(const char *path) {
    struct stream *s = calloc(1, sizeof *s);
    struct in *in = in_open(path);
    struct episode_reader *r = in ? episode_open(in) : NULL;
    struct episode e;
    struct episode_result result;
    int got;
    CHECK(s && r, "%s", fail_text());
    s->shape = episode_header(r)->shape;
    while ((got = episode_read(r, &e)) > 0) {
        CHECK(episode_replay(r, &e, &result) == 0 && !e.cut && s->n < MOST, "%s", fail_text());
        struct record *to = &s->record[s->n++];
        *to = (struct record){e.start, e.how, e.steps, malloc(e.steps + 1)};
        CHECK(to->step, "memory");
        memcpy(to->step, e.step, e.steps);
    }
    CHECK(got == 0, "%s", fail_text());
    episode_close(r);
    in_close(in);
    unlink(path);
    return s;
}

static struct stream *play(const char *board, const struct starts_spec *starts, unsigned n, unsigned threads) {
    struct generate g = spec_of(starts, n, threads);
    CHECK(generate(board, &g, "starts.ep") == 0, "%s", fail_text());
    struct stream *s = load("starts.ep");
    CHECK(s->n == n, "%u episodes", s->n);
    return s;
}

static void drop(struct stream *s) {
    for (unsigned i = 0; i < s->n; i++) free(s->record[i].step);
    free(s);
}

static void naive_step(const struct shape *s, struct grid *g, uint8_t step) {
    grid_slide(g, step_move(step));
    g->tile[step_cell(step) / s->cols][step_cell(step) % s->cols] = 1l << step_exponent(step);
}

static struct board board_of(const struct shape *s, const struct grid *g) {
    struct board b = {0, 0};
    for (unsigned i = 0; i < s->cells; i++) {
        long tile = g->tile[i / s->cols][i % s->cols];
        b = board_put(b, i, tile ? (unsigned)__builtin_ctzl((unsigned long)tile) : 0);
    }
    return b;
}

// The state of an episode after so many steps.
static struct board state_after(const struct shape *s, const struct record *e, uint32_t steps) {
    struct grid g = grid_of(s, e->start);
    for (uint32_t i = 0; i < steps; i++) naive_step(s, &g, e->step[i]);
    return board_of(s, &g);
}

static void check_new_game(const struct stream *s, unsigned i, enum starts_jump jump) {
    const struct record *e = &s->record[i];
    static const long tiles[3][5][2] = {
        [JUMP_S] = {{0, 0}, {2048, 0}, {4096, 0}, {4096, 2048}, {8192, 0}},
        [JUMP_L] = {{0, 0}, {4096, 0}, {8192, 0}, {8192, 4096}, {16384, 0}}};
    const long *want = tiles[jump][i % 5];
    struct grid g = grid_of(&s->shape, e->start);
    unsigned found[3] = {0}, wanted[3] = {0}; // the large ones, and 2 or 4
    CHECK(e->how == (want[0] ? START_JUMP : START_NORMAL), "episode %u starts by %d", i, e->how);
    for (int k = 0; k < 2; k++) wanted[want[k] ? k : 2]++;
    for (unsigned c = 0; c < s->shape.cells; c++) {
        long tile = g.tile[c / s->shape.cols][c % s->shape.cols];
        if (!tile) continue;
        CHECK(tile == 2 || tile == 4 || tile == want[0] || tile == want[1], "episode %u: a %ld", i, tile);
        found[tile <= 4 ? 2 : tile == want[0] ? 0 : 1]++;
    }
    CHECK(memcmp(found, wanted, sizeof found) == 0, "episode %u has other tiles", i);
}

// Each episode starts in the middle of the one a line before it, or anew.
static void check_restarts(const char *board, const struct starts_spec *starts, unsigned n, unsigned threads) {
    unsigned lines = starts->lines ? starts->lines : STARTS_LINES, restarts = 0, again = 0;
    struct stream *s = play(board, starts, n, threads);
    for (unsigned i = 0; i < n; i++) {
        const struct record *e = &s->record[i], *before = i < lines ? NULL : e - lines;
        if (!before || before->steps <= starts->restart) {
            check_new_game(s, i, starts->jump);
            again += before != NULL;
            continue;
        }
        CHECK(e->how == START_RESTART, "%s: episode %u starts by %d", board, i, e->how);
        struct board middle = state_after(&s->shape, before, before->steps / 2);
        CHECK(board_equal(e->start, middle), "%s: episode %u starts elsewhere", board, i);
        restarts++;
    }
    CHECK(restarts > n / 8 && again > n / 100, "%s: %u restarts, %u new games", board, restarts, again);
    drop(s);
}

static void restarts(void) {
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        check_restarts("4x4", &(struct starts_spec){.restart = STARTS_SHORT}, 3000, threads);
        check_restarts("3x3", &(struct starts_spec){.restart = STARTS_SHORT}, 3000, threads);
        check_restarts("2x3", &(struct starts_spec){.restart = 1}, 3000, threads);
        check_restarts("4x3", &(struct starts_spec){.restart = 40, .lines = 7}, 1000, threads);
        check_restarts("4x4", &(struct starts_spec){.restart = 10, .jump = JUMP_L}, 3000, threads);
        check_restarts("2x3", &(struct starts_spec){.restart = 3, .lines = 1}, 1000, threads);
    }
}

// Every kind of start in turn, on random cells, with 4s as often as elsewhere.
static void jumps(void) {
    for (int jump = JUMP_S; jump <= JUMP_L; jump++) {
        struct stream *s = play("4x4", &(struct starts_spec){.jump = (enum starts_jump)jump}, 5000, 2);
        unsigned long pair[5][16 * 16] = {{0}}, fours = 0, small = 0;
        for (unsigned i = 0; i < s->n; i++) {
            unsigned cell[2], tile[2], k = 0;
            check_new_game(s, i, (enum starts_jump)jump);
            for (unsigned c = 0; c < 16; c++) {
                unsigned e = board_cell(s->record[i].start, c);
                if (!e) continue;
                small += e <= 2;
                fours += e == 2;
                tile[k] = e;
                cell[k++] = c;
            }
            int swap = tile[0] < tile[1];
            pair[i % 5][cell[swap] * 16 + cell[!swap]]++;
        }
        for (unsigned kind = 1; kind < 5; kind++) {
            unsigned pairs = 0;
            for (unsigned c = 0; c < 256; c++)
                if (c / 16 != c % 16) pair[kind][pairs++] = pair[kind][c];
            double chi = check_chi_square(pair[kind], pairs);
            CHECK(chi < check_chi_bound(pairs), "kind %u: chi-square %g of the cells", kind, chi);
        }
        double off = (double)fours - 0.1 * (double)small;
        CHECK(off * off < 25 * 0.09 * (double)small, "%lu 4s of %lu", fours, small);
        drop(s);
    }
}

// Stages by the largest tile; by the number of merged tiles, which goes up and
// down; and none, ever.
static unsigned by_largest(const void *context, struct board b) {
    unsigned max = board_max(context, b);
    return max < 4 ? 0 : max > 7 ? 4 : max - 3;
}

static unsigned by_crowd(const void *context, struct board b) {
    const struct shape *s = context;
    unsigned n = 0;
    for (unsigned i = 0; i < s->cells; i++) n += board_cell(b, i) > 2;
    return n / 2;
}

static unsigned never(const void *context, struct board b) {
    (void)context;
    (void)b;
    return 0;
}

// Algorithm 5, with what the episodes up to one line before have left.
struct carousel {
    unsigned stages, stage;
    unsigned n[16];
    struct board *first[16]; // all of them
};

static void visit(struct carousel *c, const struct starts_spec *spec, const struct shape *s,
                  const struct record *e) {
    struct grid g = grid_of(s, e->start);
    unsigned highest = spec->stage(spec->context, e->start);
    for (uint32_t i = 0; i < e->steps; i++) {
        naive_step(s, &g, e->step[i]);
        struct board b = board_of(s, &g);
        unsigned stage = spec->stage(spec->context, b);
        if (grid_over(&g) || stage <= highest) continue;
        highest = stage;
        c->first[stage][c->n[stage]++] = b;
    }
}

static void check_carousel(const char *board, unsigned (*stage)(const void *, struct board), unsigned stages,
                           unsigned lines, unsigned threads, unsigned deepest) {
    struct shape shape;
    CHECK(shape_parse(board, &shape) == 0, "%s", board);
    struct starts_spec spec = {.carousel = 1, .stages = stages, .stage = stage, .context = &shape, .lines = lines};
    struct stream *s = play(board, &spec, MOST, threads);
    struct carousel c = {.stages = stages};
    unsigned started[16] = {0}, most = 0;
    if (!lines) lines = STARTS_LINES;
    for (unsigned k = 0; k < stages; k++) CHECK(c.first[k] = calloc(MOST, sizeof **c.first), "memory");
    for (unsigned i = 0; i < s->n; i++) {
        const struct record *e = &s->record[i];
        if (i >= lines) visit(&c, &spec, &shape, e - lines);
        c.stage = i && c.stage + 1 < stages && c.n[c.stage + 1] ? c.stage + 1 : 0;
        started[c.stage]++;
        if (c.stage == 0) {
            check_new_game(s, i, JUMP_NONE);
            continue;
        }
        unsigned kept = c.n[c.stage] < 1000 ? c.n[c.stage] : 1000;
        struct rng r = rng_stream(SEED, i);
        uint64_t x = rng_next(&r);
        // The memory is a ring: place k has the last one that is k modulo 1000.
        unsigned k = (unsigned)rng_split(&x, kept);
        while (k + 1000 < c.n[c.stage]) k += 1000;
        CHECK(e->how == START_CAROUSEL, "%s: episode %u starts by %d", board, i, e->how);
        CHECK(board_equal(e->start, c.first[c.stage][k]), "%s: episode %u starts elsewhere", board, i);
        CHECK(spec.stage(spec.context, e->start) == c.stage, "%s: episode %u: another stage", board, i);
    }
    for (unsigned k = 0; k < stages; k++) most = started[k] ? k : most;
    CHECK(most == deepest, "%s: stage %u was started, not %u", board, most, deepest);
    if (deepest) CHECK(c.n[1] > 1000, "%s: only %u first states", board, c.n[1]);
    for (unsigned k = 0; k < stages; k++) free(c.first[k]);
    drop(s);
}

static void carousel(void) {
    for (unsigned threads = 1; threads <= 3; threads++) {
        check_carousel("4x4", by_largest, 5, 0, threads, 4);
        check_carousel("4x4", by_crowd, 9, 0, threads, 7);
        check_carousel("3x3", by_largest, 5, 16, threads, 4);
    }
    check_carousel("3x3", by_largest, 5, 1, 1, 4);
    check_carousel("3x3", by_largest, 16, 0, 2, 4);
    check_carousel("3x3", never, 2, 0, 2, 0);
}

static size_t bytes_of(const char *path, uint8_t *to, size_t most) {
    FILE *f = fopen(path, "rb");
    CHECK(f, "%s", path);
    size_t n = fread(to, 1, most, f);
    CHECK(n < most && fclose(f) == 0, "%s", path);
    unlink(path);
    return n;
}

// Threads and sizes of batches change nothing, even more games at a time than lines.
static void threads(void) {
    enum { ROOM = 1 << 20 };
    static uint8_t one[ROOM], many[ROOM];
    struct shape shape;
    CHECK(shape_parse("3x3", &shape) == 0, "shape");
    const struct starts_spec specs[] = {
        {.restart = 5}, {.restart = 5, .lines = 3}, {.jump = JUMP_NONE},
        {.carousel = 1, .stages = 5, .stage = by_largest, .context = &shape},
        {.carousel = 1, .stages = 5, .stage = by_largest, .context = &shape, .lines = 2}};
    for (unsigned i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct generate g = spec_of(&specs[i], 3000, 1);
        CHECK(generate("3x3", &g, "one.ep") == 0, "%s", fail_text());
        size_t n = bytes_of("one.ep", one, ROOM);
        for (unsigned t = 1; t <= 16; t = t * 2 + 1)
            for (unsigned batch = 0; batch < 128; batch = batch * 5 + 1) {
                g.threads = t;
                g.batch = batch;
                CHECK(generate("3x3", &g, "many.ep") == 0, "%s", fail_text());
                CHECK(bytes_of("many.ep", many, ROOM) == n && memcmp(one, many, n) == 0,
                      "starts %u with %u threads, batches of %u", i, t, batch);
            }
    }
}

static int calls, limit;

static int count_calls(const struct player *self, const struct shape *s, uint64_t p4, struct game *game, unsigned n) {
    int call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    return call == limit ? fail("tired") : player_random.play(self, s, p4, game, n);
}

static int enough(void *context) {
    (void)context;
    return __atomic_load_n(&calls, __ATOMIC_SEQ_CST) >= 40;
}

// A player that fails, and an end before the last episode, leave nobody waiting.
static void ends(void) {
    const struct player player = {count_calls, 4, NULL};
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct generate g = spec_of(&(struct starts_spec){.restart = 5, .lines = 32}, 100000, threads);
        g.player = &player;
        calls = 0;
        limit = 40;
        CHECK(generate("2x3", &g, "starts.ep") == -1 && strcmp(fail_text(), "tired") == 0, "%s", fail_text());
        calls = limit = 0;
        g.stopped = enough;
        CHECK(generate("2x3", &g, "starts.ep") == 0, "%s", fail_text());
        struct stream *s = load("starts.ep");
        CHECK(s->n && s->n < 1000, "%u episodes", s->n);
        drop(s);
    }
}

static void texts(void) {
    static const char *const good[][2] = {
        {"normal", "normal"}, {"restart", "restart:10"}, {"restart:1", "restart:1"},
        {"restart:262144", "restart:262144"}, {"carousel", "carousel"}, {"jump-s", "jump-s"},
        {"jump-l", "jump-l"}, {"jump-s+restart", "jump-s+restart:10"}, {"jump-l+restart:7", "jump-l+restart:7"}};
    static const char *const bad[] = {
        "", "Normal", "normal ", "restart:", "restart:0", "restart:-1", "restart:262145", "restart:x", "restart:1x",
        "restart10", "restart,1", "jump", "jump-m", "jump-", "jump-s+", "jump-s+carousel", "jump-s+jump-l",
        "restart+jump-s", "carousel+restart", "jump-s:3", "jump-s+restart:0", "jump-ss", "carousel:1"};
    char text[STARTS_TEXT];
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        struct starts_spec spec = {.carousel = 1, .jump = JUMP_L, .restart = 99, .lines = 5};
        CHECK(starts_parse(good[i][0], &spec) == 0, "%s: %s", good[i][0], fail_text());
        CHECK(strcmp(starts_text(&spec, text), good[i][1]) == 0 && spec.lines == 5, "%s: %s", good[i][0], text);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct starts_spec spec = {0};
        CHECK(starts_parse(bad[i], &spec) == -1, "'%s' is taken", bad[i]);
    }
}

// 2^(n+1) is the largest tile of n cells.
static void fits(void) {
    for (unsigned rows = 1; rows <= 16; rows++)
        for (unsigned cols = 1; cols <= 16; cols++) {
            struct shape s;
            if (shape_init(&s, rows, cols)) continue;
            CHECK(starts_fit(&(struct starts_spec){0}, &s) == 0, "%ux%u", rows, cols);
            CHECK((starts_fit(&(struct starts_spec){.jump = JUMP_S}, &s) == 0) == (rows * cols >= 12), "jump-s");
            CHECK((starts_fit(&(struct starts_spec){.jump = JUMP_L}, &s) == 0) == (rows * cols >= 13), "jump-l");
        }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"texts", texts},       {"fits", fits},
                                              {"restarts", restarts}, {"jumps", jumps},
                                              {"carousel", carousel}, {"threads", threads},
                                              {"ends", ends},         {NULL, NULL}};
    return check_main(cases, argc, argv);
}
