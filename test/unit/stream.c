// SPDX-License-Identifier: MIT
// Episode streams: the way there and back, and everything that must be refused.
// The cases write files in the current folder.
#include "episode/stream.h"

#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "reference.h"
#include "util/fail.h"

enum { MOST = 1 << 16 };

struct bytes {
    uint8_t data[MOST];
    size_t n;
};

// Overwrites a file in place: thousands of new files would be slow.
static void store(const char *path, const uint8_t *data, size_t n) {
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    CHECK(fd >= 0 && write(fd, data, n) == (ssize_t)n && ftruncate(fd, (off_t)n) == 0 &&
          close(fd) == 0, "%s", path);
}

static void load(const char *path, struct bytes *to) {
    FILE *f = fopen(path, "rb");
    CHECK(f, "%s", path);
    to->n = fread(to->data, 1, MOST, f);
    CHECK(to->n < MOST && fclose(f) == 0, "%s", path);
}

// Reads and replays the file "mutant": 0, or -1 if any of it is refused.
static int read_all(unsigned *episodes) {
    struct in *in = in_open("mutant");
    CHECK(in, "%s", fail_text());
    fail("%s", "");
    struct episode_reader *r = episode_open(in);
    struct episode e;
    struct episode_result result;
    int got = r ? 1 : -1;
    *episodes = 0;
    while (got > 0 && (got = episode_read(r, &e)) > 0) {
        *episodes += 1;
        if (episode_replay(r, &e, &result)) got = -1;
    }
    episode_close(r);
    in_close(in);
    return got;
}

static int try(const uint8_t *data, size_t n) {
    unsigned episodes;
    store("mutant", data, n);
    int status = read_all(&episodes);
    CHECK(status == 0 || strncmp(fail_text(), "mutant: ", 8) == 0, "reason '%s'", fail_text());
    CHECK(status == 0 || strlen(fail_text()) > 8, "no reason");
    return status;
}

// Every third episode starts in one of the other ways in turn, with any board.
static enum episode_start start_of(unsigned i) {
    return i % 3 == 1 ? (enum episode_start)(1 + i / 3 % (STARTS - 1)) : START_NORMAL;
}

// A stream of random games: some cut short, some from given boards.
static void write_stream(const char *path, const struct shape *s, unsigned episodes) {
    static uint8_t steps[MOST_STEPS];
    struct episode_header h = {.shape = *s, .p4 = 0.25, .seed = 99, .player = "a test's player"};
    struct out *out = out_open(path, OUT_BINARY);
    struct episode_writer *w = out ? episode_create(out, &h) : NULL;
    CHECK(w, "%s", fail_text());
    for (unsigned i = 0; i < episodes; i++) {
        struct rng r = rng_stream(s->cells, i);
        int given = start_of(i) != START_NORMAL;
        struct board start = given ? random_board(s, &r) : play_start(s, &r, play_p4(0.25)), b = start;
        size_t n = kernel_plain.random(s, &r, play_p4(0.25), &b, steps);
        if (i % 3 == 2) n /= 2;
        uint32_t fours = 0;
        b = start;
        CHECK(kernel_plain.replay(s, &b, steps, n, &fours) == n, "own game");
        struct episode e = {.start = start, .how = start_of(i),
                            .cut = board_legal(s, b) != 0, .steps = (uint32_t)n, .step = steps};
        CHECK(episode_write(w, &e) == 0, "%s", fail_text());
    }
    CHECK(episode_finish(w) == 0 && out_close(out) == 0, "%s", fail_text());
}

static void small_stream(unsigned rows, unsigned cols, unsigned episodes, struct bytes *to) {
    struct shape s;
    CHECK(shape_init(&s, rows, cols) == 0, "shape");
    write_stream("mutant", &s, episodes);
    load("mutant", to);
}

static void round_trip_shape(struct shape *s) {
    static uint8_t steps[MOST_STEPS];
    write_stream("mutant", s, 30);
    struct in *in = in_open("mutant");
    struct episode_reader *r = in ? episode_open(in) : NULL;
    CHECK(r, "%s", fail_text());
    const struct episode_header *h = episode_header(r);
    CHECK(h->shape.rows == s->rows && h->shape.cols == s->cols && h->p4 == 0.25 && h->seed == 99 &&
          strcmp(h->player, "a test's player") == 0, "header");
    for (unsigned i = 0; i < 30; i++) {
        struct episode e;
        struct episode_result result;
        CHECK(episode_read(r, &e) == 1 && episode_replay(r, &e, &result) == 0, "%s", fail_text());
        struct rng random = rng_stream(s->cells, i);
        struct board start =
            i % 3 == 1 ? random_board(s, &random) : play_start(s, &random, play_p4(0.25)), b = start;
        size_t n = kernel_plain.random(s, &random, play_p4(0.25), &b, steps);
        CHECK(board_equal(start, e.start) && e.steps == (i % 3 == 2 ? n / 2 : n) &&
              memcmp(steps, e.step, e.steps) == 0, "episode %u is another", i);
        CHECK(e.how == start_of(i), "how it started");
        struct grid g = grid_of(s, start);
        uint64_t score = 0;
        for (uint32_t k = 0; k < e.steps; k++) {
            score += (uint64_t)grid_slide(&g, step_move(steps[k]));
            unsigned c = step_cell(steps[k]);
            g.tile[c / s->cols][c % s->cols] = 1l << step_exponent(steps[k]);
        }
        struct grid end = grid_of(s, result.end);
        CHECK(grid_equal(&g, &end) && result.score == score, "replay of episode %u", i);
        CHECK(result.max == board_max(s, result.end) && e.cut == !grid_over(&g), "result %u", i);
    }
    struct episode e;
    CHECK(episode_read(r, &e) == 0, "it goes on");
    episode_close(r);
    in_close(in);
}

static void round_trip(void) { each_shape(round_trip_shape); }

static void no_episodes(void) {
    static struct bytes b;
    small_stream(4, 4, 0, &b);
    unsigned episodes;
    CHECK(read_all(&episodes) == 0 && episodes == 0, "%s", fail_text());
}

static void each_small_stream(void (*visit)(struct bytes *)) {
    static struct bytes b;
    small_stream(1, 2, 0, &b);
    visit(&b);
    small_stream(1, 2, 3, &b);
    visit(&b);
    small_stream(2, 2, 4, &b);
    visit(&b);
    small_stream(4, 4, 2, &b);
    visit(&b);
}

static void cut_all(struct bytes *b) {
    CHECK(try(b->data, b->n) == 0, "%s", fail_text());
    for (size_t n = 0; n < b->n; n++) CHECK(try(b->data, n) == -1, "cut at %zu of %zu", n, b->n);
}

static void cuts(void) { each_small_stream(cut_all); }

static void flip_all(struct bytes *b) {
    for (size_t i = 0; i < 8 * b->n; i++) {
        b->data[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(try(b->data, b->n) == -1, "bit %zu of byte %zu of %zu", i % 8, i / 8, b->n);
        b->data[i / 8] ^= (uint8_t)(1 << i % 8);
    }
}

static void flips(void) { each_small_stream(flip_all); }

// One stream after another: both count, and only the cut between them is none.
static void joined(void) {
    static struct bytes a, b;
    unsigned episodes;
    small_stream(2, 3, 2, &a);
    small_stream(2, 3, 1, &b);
    size_t first = a.n;
    memcpy(a.data + a.n, b.data, b.n);
    a.n += b.n;
    store("mutant", a.data, a.n);
    CHECK(read_all(&episodes) == 0 && episodes == 3, "%s", fail_text());
    for (size_t n = 0; n < a.n; n++) CHECK(try(a.data, n) == (n == first ? 0 : -1), "cut at %zu", n);
    flip_all(&a);
}

// Bit by bit, from the polynomial; begun and ended with all bits flipped.
static uint32_t crc(uint32_t before, const uint8_t *p, size_t n) {
    uint32_t c = ~before;
    for (size_t i = 0; i < 8 * n; i++) {
        uint32_t bit = (c ^ (uint32_t)(p[i / 8] >> i % 8)) & 1;
        c = c >> 1 ^ (bit ? 0x82f63b78u : 0);
    }
    return ~c;
}

static void put_crc(uint8_t *p, uint32_t c) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(c >> 8 * i);
}

// The smallest stream with a step, by hand: 2,2 left, a 2 on cell 1, over.
static const uint8_t smallest[78] =
    "P2EP\1\1\2\0\x9a\x99\x99\x99\x99\x99\xb9\x3f\2\0\0\0\0\0\0\0\6random....E\0\0\0\1\0\0\0\1\1\4...."
    "Z\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0...";

static void sign(uint8_t *p) {
    uint32_t c = crc(0, p, 31);
    put_crc(p + 31, c);
    c = crc(c, p + 35, 11);
    put_crc(p + 46, c);
    put_crc(p + 74, crc(c, p + 50, 24));
}

// Changes of that stream whose checksums are right nevertheless.
static const struct forgery {
    const char *name, *reason;
    struct {
        int at, n;
        const char *bytes;
    } change[2];
} forgeries[] = {
    {"magic", "not an episode stream", {{0, 1, "Q"}}},
    {"magic-end", "not an episode stream", {{3, 1, "p"}}},
    {"version-0", "unknown version 0", {{4, 1, "\0"}}},
    {"version-2", "unknown version 2", {{4, 1, "\2"}}},
    {"board-0x2", "0x2", {{5, 1, "\0"}}},
    {"board-1x1", "1x1", {{6, 1, "\1"}}},
    {"board-255x255", "255x255", {{5, 2, "\xff\xff"}}},
    {"header-zero", "out of range", {{7, 1, "\1"}}},
    {"p4-negative", "out of range", {{15, 1, "\xbf"}}},
    {"p4-two", "out of range", {{8, 8, "\0\0\0\0\0\0\0\x40"}}},
    {"p4-nan", "out of range", {{8, 8, "\1\0\0\0\0\0\xf8\x7f"}}},
    {"player-long", "header", {{24, 1, "\xff"}}},
    {"player-newline", "not printable", {{25, 1, "\n"}}},
    {"player-zero", "not printable", {{30, 1, "\0"}}},
    {"frame-kind", "unknown kind", {{35, 1, "F"}}},
    {"frame-how", "out of range", {{36, 1, "\5"}}},
    {"frame-cut", "out of range", {{37, 1, "\2"}}},
    {"frame-zero", "out of range", {{38, 1, "\1"}}},
    {"frame-steps", "out of range", {{39, 4, "\1\0\4\0"}}},
    {"frame-steps-most", "out of range", {{39, 4, "\xff\xff\xff\xff"}}},
    {"start-tile", "impossible tile", {{36, 1, "\1"}, {43, 1, "\x12"}}},
    {"start-large", "not a normal start", {{43, 2, "\3\3"}}},
    {"start-one-tile", "not a normal start", {{43, 2, "\1\0"}}},
    {"illegal-move", "step 1 is not legal", {{45, 1, "\5"}}},
    {"spawn-on-tile", "step 1 is not legal", {{45, 1, "\0"}}},
    {"spawn-outside", "step 1 is not legal", {{45, 1, "\x08"}}},
    {"step-bit-7", "step 1 is not legal", {{45, 1, "\x84"}}},
    {"not-over", "before the game is over", {{45, 1, "\x44"}}},
    {"not-cut", "marked as cut", {{37, 1, "\1"}}},
    {"end-zero", "trailer is damaged", {{57, 1, "\1"}}},
    {"end-episodes", "counts other", {{58, 1, "\2"}}},
    {"end-steps", "counts other", {{66, 1, "\0"}}},
    {0},
};

// Leaves every forgery behind as a file, smallest.ep too.
static void forged(void) {
    uint8_t b[sizeof smallest];
    unsigned episodes;
    memcpy(b, smallest, sizeof b);
    sign(b);
    CHECK(try(b, sizeof b) == 0, "%s", fail_text());
    store("smallest.ep", b, sizeof b);
    for (const struct forgery *f = forgeries; f->name; f++) {
        char path[64];
        memcpy(b, smallest, sizeof b);
        for (int i = 0; i < 2; i++)
            if (f->change[i].n) memcpy(b + f->change[i].at, f->change[i].bytes, (size_t)f->change[i].n);
        sign(b);
        store("mutant", b, sizeof b);
        CHECK(read_all(&episodes) == -1, "%s is taken", f->name);
        CHECK(strncmp(fail_text(), "mutant: ", 8) == 0 && strstr(fail_text(), f->reason),
              "%s: reason '%s'", f->name, fail_text());
        snprintf(path, sizeof path, "%s.ep", f->name);
        store(path, b, sizeof b);
    }
}

// Bytes after the end, and boards of another shape after the end.
static void appended(void) {
    static struct bytes a, b;
    small_stream(2, 3, 1, &a);
    small_stream(3, 2, 1, &b);
    memcpy(a.data + a.n, b.data, b.n);
    CHECK(try(a.data, a.n + b.n) == -1 && strstr(fail_text(), "3x2"), "%s", fail_text());
    for (unsigned c = 0; c < 256; c++) {
        a.data[a.n] = (uint8_t)c;
        CHECK(try(a.data, a.n + 1) == -1, "byte %u after the end", c);
    }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {
        {"round-trip", round_trip}, {"no-episodes", no_episodes}, {"cuts", cuts},
        {"flips", flips},           {"joined", joined},           {"forged", forged},
        {"appended", appended},     {0}};
    int status = check_main(cases, argc, argv);
    unlink("mutant");
    return status;
}
