// SPDX-License-Identifier: MIT
#include "solve/ids_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/crc32c.h"
#include "util/fail.h"

// Numbers travel in frames: how many, the numbers, a checksum of all so far. A
// frame of none ends the stream and is followed by their number.
enum { HEADER = 8, VERSION = 1, FRAME = 4096 };
static const char magic[4] = {'P', '2', 'I', 'D'};

struct ids_reader {
    struct in *in;
    uint32_t crc;
    uint64_t n, last;
    uint64_t id[FRAME];
    size_t at, end;
    int ended;
};

static int need(struct ids_reader *r, uint8_t *to, size_t n) {
    ssize_t got = in_read(r->in, to, n);
    if (got < 0) return -1;
    if ((size_t)got < n) return fail("%s: stream of IDs is cut short", in_name(r->in));
    r->crc = crc32c(r->crc, to, n);
    return 0;
}

static int check_sum(struct ids_reader *r) {
    uint32_t expected = r->crc;
    uint8_t stored[4];
    if (need(r, stored, sizeof stored)) return -1;
    r->crc = expected;
    return get_u32(stored) == expected ? 0 : fail("%s: checksum does not match", in_name(r->in));
}

struct ids_reader *ids_open(struct in *in) {
    struct ids_reader *r = calloc(1, sizeof *r);
    uint8_t h[HEADER];
    if (!r) return fail("out of memory"), NULL;
    r->in = in;
    if (need(r, h, sizeof h) == 0) {
        if (memcmp(h, magic, sizeof magic) != 0)
            fail("%s: not a stream of IDs", in_name(in));
        else if (h[4] != VERSION)
            fail("%s: stream of IDs of unknown version %u", in_name(in), h[4]);
        else if (h[5] || h[6] || h[7])
            fail("%s: header is damaged", in_name(in));
        else
            return r;
    }
    ids_close(r);
    return NULL;
}

void ids_close(struct ids_reader *r) { free(r); }

static int read_end(struct ids_reader *r) {
    uint8_t count[8];
    if (need(r, count, sizeof count) || check_sum(r)) return -1;
    r->ended = 1;
    if (get_u64(count) != r->n) return fail("%s: end counts other IDs", in_name(r->in));
    return in_read(r->in, count, 1) == 0 ? 0 : fail("%s: bytes follow the end", in_name(r->in));
}

static int read_frame(struct ids_reader *r) {
    uint8_t head[4], body[FRAME * 8];
    if (need(r, head, sizeof head)) return -1;
    uint32_t n = get_u32(head);
    if (n == 0) return read_end(r);
    if (n > FRAME) return fail("%s: frame out of range", in_name(r->in));
    if (need(r, body, n * 8) || check_sum(r)) return -1;
    for (uint32_t i = 0; i < n; i++, r->n++) {
        uint64_t id = get_u64(body + 8 * i);
        if (r->n && id <= r->last)
            return fail("%s: number %" PRIu64 " does not increase", in_name(r->in), r->n + 1);
        r->id[i] = r->last = id;
    }
    r->at = 0;
    r->end = n;
    return 0;
}

int64_t ids_read(struct ids_reader *r, uint64_t *ids, size_t most) {
    size_t n = 0;
    while (n < most) {
        if (r->at == r->end) {
            if (r->ended) break;
            if (read_frame(r)) return -1;
            continue;
        }
        size_t take = r->end - r->at < most - n ? r->end - r->at : most - n;
        memcpy(ids + n, r->id + r->at, take * sizeof *ids);
        r->at += take;
        n += take;
    }
    return (int64_t)n;
}

static int put(struct ids_writer *w, const uint8_t *data, size_t n) {
    w->crc = crc32c(w->crc, data, n);
    return out_write(w->out, data, n);
}

static int put_sum(struct ids_writer *w) {
    uint8_t sum[4];
    put_u32(sum, w->crc);
    return out_write(w->out, sum, sizeof sum);
}

int ids_create(struct ids_writer *w, struct out *out) {
    uint8_t h[HEADER] = {0};
    *w = (struct ids_writer){.out = out};
    memcpy(h, magic, sizeof magic);
    h[4] = VERSION;
    return put(w, h, sizeof h);
}

int ids_write(struct ids_writer *w, const uint64_t *ids, size_t n) {
    uint8_t frame[4 + FRAME * 8];
    while (n) {
        size_t take = n < FRAME ? n : FRAME;
        put_u32(frame, (uint32_t)take);
        for (size_t i = 0; i < take; i++) put_u64(frame + 4 + 8 * i, ids[i]);
        if (put(w, frame, 4 + take * 8) || put_sum(w)) return -1;
        ids += take;
        n -= take;
        w->n += take;
    }
    return 0;
}

int ids_finish(struct ids_writer *w) {
    uint8_t end[12] = {0};
    put_u64(end + 4, w->n);
    return put(w, end, sizeof end) || put_sum(w) ? -1 : 0;
}

int ids_stream_put_set(struct out *out, const struct set *set) {
    struct ids_writer w;
    uint64_t ids[FRAME];
    size_t n = 0;
    if (ids_create(&w, out)) return -1;
    for (uint64_t block = 0; block * SET_BLOCK < set_count(set); block++) {
        n += set_block(set, block, ids + n);
        if (n + SET_BLOCK > FRAME && ids_write(&w, ids, n)) return -1;
        if (n + SET_BLOCK > FRAME) n = 0;
    }
    return ids_write(&w, ids, n) || ids_finish(&w) ? -1 : 0;
}
