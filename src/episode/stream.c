// SPDX-License-Identifier: MIT
#include "episode/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/crc32c.h"
#include "util/fail.h"

// Sizes before the variable part, and the frames' first bytes.
enum { HEADER = 25, FRAME = 8, TRAILER = 24, VERSION = 1, EPISODE = 'E', END = 'Z' };
static const char magic[4] = {'P', '2', 'E', 'P'};

const char *const episode_starts[STARTS] = {"normal", "given", "restart", "carousel", "jump"};

uint64_t episode_score(const struct shape *shape, struct board start, struct board end,
                       uint32_t fours) {
    return board_potential(shape, end) - board_potential(shape, start) - (uint64_t)4 * fours;
}

int episode_plausible(const struct shape *s, const struct episode *e) {
    unsigned max = board_max(s, e->start);
    unsigned tiles = s->cells - (unsigned)__builtin_popcountll(board_empty(s, e->start));
    return max <= MOST_EXPONENT && (e->how != START_NORMAL || (tiles == 2 && max <= 2));
}

struct episode_reader {
    struct in *in;
    struct episode_header header;
    uint32_t crc;               // of the present stream so far
    int ended;                  // between streams
    uint64_t streams;
    uint64_t episodes, steps;   // of the present stream
    uint64_t number;            // of the episode read last, from 1, over all streams
    uint8_t *body;
};

static int broken(const struct episode_reader *r, const char *reason) {
    if (r->number == 0) return fail("%s: header: %s", in_name(r->in), reason);
    return fail("%s: episode %" PRIu64 ": %s", in_name(r->in), r->number, reason);
}

// Reads n bytes into the checksum. 1 if there, 0 if not a byte of it is, -1.
static int get(struct episode_reader *r, uint8_t *to, size_t n) {
    ssize_t got = in_read(r->in, to, n);
    if (got < 0) return -1;
    if ((size_t)got == n) {
        r->crc = crc32c(r->crc, to, n);
        return 1;
    }
    return got ? broken(r, "stream is cut short") : 0;
}

// As get, for what must be there.
static int need(struct episode_reader *r, uint8_t *to, size_t n) {
    int got = get(r, to, n);
    return got == 0 && n ? broken(r, "stream is cut short") : got < 0 ? -1 : 0;
}

// Compares the stored checksum with that of all bytes before it.
static int check_sum(struct episode_reader *r) {
    uint32_t expected = r->crc;
    uint8_t stored[4];
    if (need(r, stored, sizeof stored)) return -1;
    r->crc = expected;
    return get_u32(stored) == expected ? 0 : broken(r, "checksum does not match");
}

// The rest of a header, its first byte being there already.
static int read_header(struct episode_reader *r, uint8_t first) {
    uint8_t h[HEADER] = {first};
    struct episode_header *to = &r->header;
    const char *name = in_name(r->in);
    r->crc = crc32c(0, h, 1);
    r->episodes = r->steps = 0;
    if (first != magic[0] || need(r, h + 1, 4) || memcmp(h, magic, sizeof magic) != 0)
        return fail("%s: not an episode stream", name);
    if (h[4] != VERSION) return fail("%s: episode stream of unknown version %u", name, h[4]);
    if (need(r, h + 5, HEADER - 5)) return -1;
    unsigned length = h[24];
    if (length > EPISODE_PLAYER) return fail("%s: header is damaged", name);
    if (need(r, (uint8_t *)to->player, length)) return -1;
    to->player[length] = '\0';
    if (check_sum(r)) return -1;
    for (unsigned i = 0; i < length; i++)
        if (to->player[i] < ' ' || to->player[i] > '~')
            return fail("%s: header: name of the player is not printable", name);
    if (r->streams && (h[5] != to->shape.rows || h[6] != to->shape.cols))
        return fail("%s: stream %" PRIu64 " has %ux%u boards, those before it %ux%u", name,
                    r->streams + 1, h[5], h[6], to->shape.rows, to->shape.cols);
    if (shape_init(&to->shape, h[5], h[6]))
        return fail("%s: header: %ux%u: %s", name, h[5], h[6], fail_text());
    to->p4 = get_f64(h + 8);
    to->seed = get_u64(h + 16);
    if (h[7] || !(to->p4 >= 0 && to->p4 <= 1))
        return fail("%s: header: field out of range", name);
    r->ended = 0;
    r->streams++;
    return 0;
}

struct episode_reader *episode_open(struct in *in) {
    struct episode_reader *r = calloc(1, sizeof *r);
    if (!r) return fail("out of memory"), NULL;
    r->in = in;
    r->body = fail_alloc(MOST_CELLS + MOST_STEPS, 1);
    uint8_t first;
    int got = r->body ? get(r, &first, 1) : -1;
    if (got == 0) fail("%s: empty, no episode stream", in_name(in));
    if (got > 0 && read_header(r, first) == 0) return r;
    episode_close(r);
    return NULL;
}

void episode_close(struct episode_reader *r) {
    if (!r) return;
    free(r->body);
    free(r);
}

const struct episode_header *episode_header(const struct episode_reader *r) { return &r->header; }

// The trailer behind its first byte.
static int read_trailer(struct episode_reader *r) {
    uint8_t t[TRAILER - 1];
    if (need(r, t, sizeof t)) return -1;
    for (int i = 0; i < 7; i++)
        if (t[i]) return broken(r, "trailer is damaged");
    if (check_sum(r)) return -1;
    if (get_u64(t + 7) != r->episodes || get_u64(t + 15) != r->steps)
        return broken(r, "trailer counts other episodes or steps");
    r->ended = 1;
    return 0;
}

// An episode's frame behind its first byte.
static int read_frame(struct episode_reader *r, struct episode *e) {
    const struct shape *s = &r->header.shape;
    uint8_t f[FRAME];
    if (need(r, f + 1, FRAME - 1)) return -1;
    uint32_t steps = get_u32(f + 4);
    if (steps > MOST_STEPS || f[1] >= STARTS || f[2] > 1 || f[3])
        return broken(r, "field out of range");
    if (need(r, r->body, s->cells + steps) || check_sum(r)) return -1;
    *e = (struct episode){{0, 0}, (enum episode_start)f[1], f[2], steps, r->body + s->cells,
                          r->number};
    for (unsigned i = 0; i < s->cells; i++) {
        if (r->body[i] > MOST_EXPONENT) return broken(r, "start board has an impossible tile");
        e->start = board_put(e->start, i, r->body[i]);
    }
    if (!episode_plausible(s, e)) return broken(r, "start board is not a normal start");
    r->episodes++;
    r->steps += steps;
    return 0;
}

int episode_next(struct episode_reader *r, struct episode *e) {
    uint8_t first;
    int got = get(r, &first, 1);
    if (got < 0) return -1;
    if (!r->ended && got && first == END) {
        if (read_trailer(r)) return -1;
        got = get(r, &first, 1);
    }
    if (r->ended) return got > 0 && read_header(r, first) ? -1 : got < 0 ? -1 : 2 * got;
    r->number++;
    if (got == 0) return broken(r, "stream is cut short");
    if (first != EPISODE) return broken(r, "frame of unknown kind");
    return read_frame(r, e) ? -1 : 1;
}

int episode_read(struct episode_reader *r, struct episode *e) {
    int got;
    while ((got = episode_next(r, e)) == 2) continue;
    return got;
}

// Judges a replay that found so many legal steps and ended in this state.
static int judge(const struct episode_reader *r, const struct episode *e, size_t legal,
                 struct board end) {
    if (legal < e->steps)
        return fail("%s: episode %" PRIu64 ": step %zu is not legal", in_name(r->in), e->number,
                    legal + 1);
    if ((board_legal(&r->header.shape, end) != 0) != e->cut)
        return fail("%s: episode %" PRIu64 ": %s", in_name(r->in), e->number,
                    e->cut ? "is over, but marked as cut" : "stops before the game is over");
    return 0;
}

int episode_replay(const struct episode_reader *r, const struct episode *e,
                   struct episode_result *result) {
    const struct shape *s = &r->header.shape;
    uint32_t fours = 0;
    result->end = e->start;
    size_t legal = s->kernel->replay(s, &result->end, e->step, e->steps, &fours);
    if (judge(r, e, legal, result->end)) return -1;
    result->score = episode_score(s, e->start, result->end, fours);
    result->max = board_max(s, result->end);
    return 0;
}

int episode_trace(const struct episode_reader *r, const struct episode *e, struct board *after,
                  uint32_t *reward) {
    const struct shape *s = &r->header.shape;
    struct board end = e->start;
    size_t legal = s->kernel->trace(s, &end, e->step, e->steps, after, reward);
    return judge(r, e, legal, end);
}

struct episode_writer {
    struct out *out;
    struct shape shape;
    uint32_t crc;
    uint64_t episodes, steps;
};

static int put(struct episode_writer *w, const uint8_t *data, size_t n) {
    w->crc = crc32c(w->crc, data, n);
    return out_write(w->out, data, n);
}

static int put_sum(struct episode_writer *w) {
    uint8_t sum[4];
    put_u32(sum, w->crc);
    return out_write(w->out, sum, sizeof sum);
}

struct episode_writer *episode_create(struct out *out, const struct episode_header *header) {
    struct episode_writer *w = fail_alloc(1, sizeof *w);
    if (!w) return NULL;
    *w = (struct episode_writer){.out = out, .shape = header->shape};
    uint8_t h[HEADER] = {0};
    size_t length = strlen(header->player);
    memcpy(h, magic, sizeof magic);
    h[4] = VERSION;
    h[5] = (uint8_t)header->shape.rows;
    h[6] = (uint8_t)header->shape.cols;
    put_f64(h + 8, header->p4);
    put_u64(h + 16, header->seed);
    h[24] = (uint8_t)length;
    if (put(w, h, HEADER) == 0 && put(w, (const uint8_t *)header->player, length) == 0 &&
        put_sum(w) == 0)
        return w;
    free(w);
    return NULL;
}

int episode_write(struct episode_writer *w, const struct episode *e) {
    uint8_t f[FRAME + MOST_CELLS] = {EPISODE, (uint8_t)e->how, (uint8_t)e->cut};
    put_u32(f + 4, e->steps);
    for (unsigned i = 0; i < w->shape.cells; i++) f[FRAME + i] = (uint8_t)board_cell(e->start, i);
    w->episodes++;
    w->steps += e->steps;
    return put(w, f, FRAME + w->shape.cells) || put(w, e->step, e->steps) || put_sum(w) ? -1 : 0;
}

int episode_finish(struct episode_writer *w) {
    uint8_t t[TRAILER] = {END};
    put_u64(t + 8, w->episodes);
    put_u64(t + 16, w->steps);
    int status = put(w, t, TRAILER) || put_sum(w) ? -1 : 0;
    free(w);
    return status;
}

void episode_abandon(struct episode_writer *w) { free(w); }
