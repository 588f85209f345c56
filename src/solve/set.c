// SPDX-License-Identifier: MIT
#include "solve/set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "solve/bits.h"
#include "solve/packed.h"
#include "util/fail.h"

static const char magic[4] = {'P', '2', 'E', 'F'};
static const char what[] = "an .ef file";
const char *const set_codecs[] = {"gaps", "elias-fano", "smallest", NULL};

// Gaps of 1, up to 4, 16, 64, 256, 2048, 16384, and beyond are told apart when
// the next gap's code is chosen.
static const uint8_t cuts[CLASSES - 1] = {0, 3, 15, 23, 31, 43, 55};

struct set_writer {
    enum set_codec codec;
    struct packed_writer packed;
    int failed;
    uint64_t *ids, *gaps;    // of the present segment
    uint8_t *scratch[2];     // the segment in each codec
    size_t n, room, scratch_room;
    uint64_t count, first, last;
};

struct set_writer *set_create(enum set_codec codec, int (*sink)(void *, const void *, size_t),
                              void *context) {
    struct set_writer *w = calloc(1, sizeof *w);
    if (!w) return fail("out of memory"), NULL;
    w->codec = codec;
    if (packed_create(&w->packed, magic, 0, sink, context) == 0) return w;
    set_abandon(w);
    return NULL;
}

void set_abandon(struct set_writer *w) {
    if (!w) return;
    packed_free(&w->packed);
    free(w->ids);
    free(w->gaps);
    free(w->scratch[0]);
    free(w->scratch[1]);
    free(w);
}

// Gaps less one; heads are counted from the segment's first number.
static size_t encode_gaps(const struct set_writer *w, uint8_t *to) {
    for (size_t i = 0; i < w->n; i++)
        w->gaps[i] = i % SET_BLOCK ? w->ids[i] - w->ids[i - 1] - 1 : w->ids[i] - w->ids[0];
    return blocks_encode(w->gaps, w->n, cuts, to);
}

// Parts of an Elias-Fano segment: 16 bytes, two lists of samples, the high
// halves in unary, the low halves.
struct elias_fano {
    unsigned low;            // bits of a low half
    uint32_t ones, zeros;    // in the high part
    const uint8_t *select1, *select0, *high, *lows;
};

enum { SAMPLE = 256 };

static struct elias_fano elias_fano_layout(unsigned low, uint32_t n, uint64_t span,
                                           const uint8_t *base) {
    struct elias_fano f = {.low = low, .ones = n, .zeros = (uint32_t)(span >> low) + 1};
    f.select1 = base + 16;
    f.select0 = f.select1 + 4 * ((f.ones + SAMPLE - 1) / SAMPLE);
    f.high = f.select0 + 4 * ((f.zeros + SAMPLE - 1) / SAMPLE);
    f.lows = f.high + ((uint64_t)f.ones + f.zeros + 7) / 8 + BITS_PADDING;
    return f;
}

static size_t elias_fano_size(const struct elias_fano *f, const uint8_t *base) {
    return (size_t)(f->lows - base) + ((size_t)f->low * f->ones + 7) / 8 + BITS_PADDING;
}

static unsigned elias_fano_low(uint64_t span, uint64_t n) {
    uint64_t mean = span / n;
    return mean ? bits_width(mean) - 1 : 0;
}

static size_t encode_elias_fano(const struct set_writer *w, uint8_t *to) {
    uint64_t span = w->ids[w->n - 1] - w->ids[0];
    unsigned low = elias_fano_low(span, w->n);
    struct elias_fano f = elias_fano_layout(low, (uint32_t)w->n, span, to);
    size_t size = elias_fano_size(&f, to);
    memset(to, 0, size);
    to[0] = (uint8_t)low;
    put_u32(to + 4, (uint32_t)w->n);
    put_u64(to + 8, span);
    struct bits lows = {to + (f.lows - to), 0, 0};
    uint8_t *high = to + (f.high - to), *select1 = to + 16, *select0 = to + (f.select0 - to);
    uint64_t zeros = 0;
    for (size_t i = 0; i <= w->n; i++) {
        // Behind the last number the remaining zeros follow.
        uint64_t h = i < w->n ? (w->ids[i] - w->ids[0]) >> low : f.zeros;
        for (; zeros < h; zeros++)
            if (zeros % SAMPLE == 0) put_u32(select0 + zeros / SAMPLE * 4, (uint32_t)(zeros + i));
        if (i == w->n) break;
        if (i % SAMPLE == 0) put_u32(select1 + i / SAMPLE * 4, (uint32_t)(h + i));
        high[(h + i) / 8] |= (uint8_t)(1 << ((h + i) & 7));
        bits_put_wide(&lows, (w->ids[i] - w->ids[0]) & bits_mask(low), low);
    }
    bits_end(&lows);
    return size;
}

// Room for n numbers in the segment.
static int make_room(struct set_writer *w, size_t n) {
    if (n <= w->room) return 0;
    size_t room = 2 * w->room > n ? 2 * w->room : n;
    uint64_t *wider = realloc(w->ids, room * sizeof *wider);
    if (!wider) return fail("memory: cannot get %zu x 8 bytes", room);
    w->ids = wider;
    free(w->gaps);
    w->room = 0;
    if (!(w->gaps = fail_alloc(room, sizeof *w->gaps))) return -1;
    w->room = room;
    return 0;
}

// Writes the segment that is full, or the last one.
static int put_segment(struct set_writer *w) {
    if (w->n == 0) return 0;
    size_t most = blocks_most(w->n);
    for (int k = 0; k < 2 && most > w->scratch_room; k++) {
        free(w->scratch[k]);
        if (!(w->scratch[k] = fail_alloc(most, 1))) return -1;
    }
    if (most > w->scratch_room) w->scratch_room = most;
    size_t size[2] = {SIZE_MAX, SIZE_MAX};
    if (w->codec != SET_ELIAS_FANO) size[SET_GAPS] = encode_gaps(w, w->scratch[0]);
    if (w->codec != SET_GAPS) size[SET_ELIAS_FANO] = encode_elias_fano(w, w->scratch[1]);
    unsigned codec = size[SET_ELIAS_FANO] < size[SET_GAPS];
    size_t n = w->n;
    w->n = 0;
    return packed_segment(&w->packed, w->ids[0], n, codec, w->scratch[codec], size[codec]);
}

int set_add(struct set_writer *w, const uint64_t *ids, size_t n) {
    if (w->failed) return -1;
    for (size_t i = 0; i < n; i++)
        if (ids[i] <= (i ? ids[i - 1] : w->last) && (i || w->count))
            return w->failed = 1, fail("number %" PRIu64 " does not increase", w->count + i + 1);
    if (n && !w->count) w->first = ids[0];
    if (n) w->last = ids[n - 1];
    w->count += n;
    while (n) {
        size_t take = SET_SEGMENT - w->n < n ? SET_SEGMENT - w->n : n;
        if (make_room(w, w->n + take)) return w->failed = 1, -1;
        memcpy(w->ids + w->n, ids, take * sizeof *ids);
        w->n += take;
        ids += take;
        n -= take;
        if (w->n == SET_SEGMENT && put_segment(w)) return w->failed = 1, -1;
    }
    return 0;
}

int set_finish(struct set_writer *w, const uint64_t notes[SET_NOTES]) {
    struct packed_end end = {.first = w->first, .last = w->last};
    if (notes) memcpy(end.notes, notes, sizeof end.notes);
    int status = w->failed || put_segment(w) || packed_finish(&w->packed, &end) ? -1 : 0;
    set_abandon(w);
    return status;
}

struct segment {
    uint64_t first;
    uint32_t count;
    enum set_codec codec;
    struct blocks gaps;
    struct elias_fano ef;
};

struct set {
    struct packed packed;
    uint64_t count, first, last, n_segments;
    struct segment *segment;
};

static int open_elias_fano(struct segment *s, const uint8_t *p, size_t size, const char *name) {
    if (size < 16 || p[0] > 63 || get_u32(p + 4) != s->count ||
        get_u64(p + 8) >> p[0] > 4 * (uint64_t)SET_SEGMENT)
        return fail("%s: segment header out of range", name);
    s->ef = elias_fano_layout(p[0], s->count, get_u64(p + 8), p);
    if (elias_fano_size(&s->ef, p) != size) return fail("%s: segment of another size", name);
    uint64_t ones = 0, bits = (uint64_t)s->ef.ones + s->ef.zeros;
    for (uint64_t at = 0; at < bits; at += 32)
        ones += (unsigned)__builtin_popcountll(
            bits_get(s->ef.high, at, bits - at < 32 ? (unsigned)(bits - at) : 32));
    if (ones != s->count) return fail("%s: segment of another count", name);
    return 0;
}

static int open_segments(struct set *set, const char *name) {
    const struct packed *p = &set->packed;
    set->count = p->count;
    set->first = p->end.first;
    set->last = p->end.last;
    set->n_segments = p->parts;
    if (p->parameter) return fail("%s: header is damaged", name);
    if (!(set->segment = calloc(p->parts + 1, sizeof *set->segment))) return fail("out of memory");
    for (uint64_t i = 0; i < p->parts; i++) {
        const struct packed_part *part = &p->part[i];
        struct segment *s = &set->segment[i];
        *s = (struct segment){part->first, part->count, (enum set_codec)part->codec, {0}, {0}};
        if (i && s->first <= set->segment[i - 1].first)
            return fail("%s: index not in order", name);
        if (part->codec > SET_ELIAS_FANO) return fail("%s: segment of unknown codec", name);
        if (part->codec == SET_GAPS ? blocks_open(&s->gaps, part->data, part->size, part->count, cuts, name)
                                    : open_elias_fano(s, part->data, part->size, name))
            return -1;
    }
    return 0;
}

// The set whose bytes are open, or NULL after giving them up.
static struct set *opened(struct set *set, const char *name) {
    if (open_segments(set, name) == 0) return set;
    set_close(set);
    return NULL;
}

struct set *set_view(const void *bytes, size_t n, const char *name) {
    struct set *set = calloc(1, sizeof *set);
    if (!set) return fail("out of memory"), NULL;
    if (packed_view(&set->packed, bytes, n, name, magic, what)) return free(set), NULL;
    return opened(set, name);
}

struct set *set_open(const char *path) {
    struct set *set = calloc(1, sizeof *set);
    if (!set) return fail("out of memory"), NULL;
    if (packed_open(&set->packed, path, magic, what)) return free(set), NULL;
    return opened(set, path);
}

void set_close(struct set *set) {
    if (!set) return;
    for (uint64_t i = 0; set->segment && i < set->n_segments; i++)
        blocks_close(&set->segment[i].gaps);
    free(set->segment);
    packed_close(&set->packed);
    free(set);
}

uint64_t set_count(const struct set *set) { return set->count; }
uint64_t set_first(const struct set *set) { return set->first; }
uint64_t set_last(const struct set *set) { return set->last; }
uint64_t set_bytes(const struct set *set) { return set->packed.size; }
const uint64_t *set_notes(const struct set *set) { return set->packed.end.notes; }

uint64_t set_segments(const struct set *set, enum set_codec codec) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < set->n_segments; i++) n += set->segment[i].codec == codec;
    return n;
}

// Numbers of a block up to the first that is not below until; how many.
static size_t decode_gaps(const struct segment *s, uint64_t block, uint64_t until, uint64_t *ids) {
    uint64_t head = s->first + blocks_head(&s->gaps, block);
    size_t n = blocks_read(&s->gaps, block, until > head ? until - head : 0, ids);
    ids[0] = head;
    for (size_t i = 1; i < n; i++) ids[i] += ids[i - 1] + 1;
    return n;
}

// The bit of the k-th one (or zero, with flip all ones) of the high part.
static uint64_t select_bit(const uint8_t *high, const uint8_t *sample, uint64_t k, uint64_t flip,
                           uint64_t bits) {
    uint64_t at = get_u32(sample + k / SAMPLE * 4), left = k % SAMPLE;
    while (at < bits) {
        unsigned take = 57 - 1;
        uint64_t word = (bits_get(high, at, take) ^ flip) & bits_mask(take);
        unsigned n = (unsigned)__builtin_popcountll(word);
        if (n > left) {
            for (; left; left--) word &= word - 1;
            return at + (unsigned)__builtin_ctzll(word);
        }
        left -= n;
        at += take;
    }
    return bits - 1;
}

static uint64_t elias_fano_id(const struct segment *s, uint64_t i, uint64_t at) {
    return s->first + ((at - i) << s->ef.low |
                       bits_get_wide(s->ef.lows, i * s->ef.low, s->ef.low));
}

static size_t decode_elias_fano(const struct segment *s, uint64_t from, size_t n, uint64_t *ids) {
    uint64_t bits = (uint64_t)s->ef.ones + s->ef.zeros;
    uint64_t at = select_bit(s->ef.high, s->ef.select1, from, 0, bits);
    for (size_t i = 0; i < n; i++, at++) {
        uint64_t word;
        while (at < bits && !(word = bits_get(s->ef.high, at, 56))) at += 56;
        if (at >= bits) at = bits - 1;
        else at += (unsigned)__builtin_ctzll(word);
        ids[i] = elias_fano_id(s, from + i, at);
    }
    return n;
}

size_t set_block(const struct set *set, uint64_t block, uint64_t ids[SET_BLOCK]) {
    uint64_t i = block * SET_BLOCK;
    if (i >= set->count) return 0;
    const struct segment *s = &set->segment[i / SET_SEGMENT];
    uint64_t in = i % SET_SEGMENT;
    size_t n = s->count - in < SET_BLOCK ? (size_t)(s->count - in) : SET_BLOCK;
    if (s->codec == SET_ELIAS_FANO) return decode_elias_fano(s, in, n, ids);
    return decode_gaps(s, in / SET_BLOCK, UINT64_MAX, ids);
}

static uint64_t below_gaps(const struct segment *s, uint64_t id, int *found) {
    uint64_t low = 0, high = (s->count + SET_BLOCK - 1) / SET_BLOCK, ids[SET_BLOCK];
    while (high - low > 1) {
        uint64_t mid = (low + high) / 2;
        if (s->first + blocks_head(&s->gaps, mid) <= id)
            low = mid;
        else
            high = mid;
    }
    size_t n = decode_gaps(s, low, id, ids);
    *found = ids[n - 1] == id;
    return low * SET_BLOCK + n - (ids[n - 1] >= id);
}

static uint64_t below_elias_fano(const struct segment *s, uint64_t id, int *found) {
    uint64_t h = (id - s->first) >> s->ef.low, bits = (uint64_t)s->ef.ones + s->ef.zeros;
    if (h >= s->ef.zeros) return s->count;
    uint64_t from = h ? select_bit(s->ef.high, s->ef.select0, h - 1, UINT64_MAX, bits) + 1 - h : 0;
    uint64_t to = select_bit(s->ef.high, s->ef.select0, h, UINT64_MAX, bits) - h;
    uint64_t want = (id - s->first) & bits_mask(s->ef.low);
    if (to > s->count) to = s->count;
    for (uint64_t end = to; from < to;) {
        uint64_t mid = (from + to) / 2;
        uint64_t low = bits_get_wide(s->ef.lows, mid * s->ef.low, s->ef.low);
        if (low < want)
            from = mid + 1;
        else
            to = mid;
        *found |= low == want && mid < end;
    }
    return from;
}

// The number of elements below id; *found tells whether id is one.
static uint64_t search(const struct set *set, uint64_t id, int *found) {
    *found = 0;
    if (set->count == 0 || id < set->first) return 0;
    if (id > set->last) return set->count;
    uint64_t low = 0, high = set->n_segments;
    while (high - low > 1) {
        uint64_t mid = (low + high) / 2;
        if (set->segment[mid].first <= id)
            low = mid;
        else
            high = mid;
    }
    const struct segment *s = &set->segment[low];
    return low * SET_SEGMENT + (s->codec == SET_ELIAS_FANO ? below_elias_fano(s, id, found)
                                                           : below_gaps(s, id, found));
}

uint64_t set_below(const struct set *set, uint64_t id) {
    int found;
    return search(set, id, &found);
}

int64_t set_rank(const struct set *set, uint64_t id) {
    int found;
    uint64_t at = search(set, id, &found);
    return found ? (int64_t)at : -1;
}
