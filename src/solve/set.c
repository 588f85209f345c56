// SPDX-License-Identifier: MIT
#include "solve/set.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solve/bits.h"
#include "solve/huffman.h"
#include "util/crc32c.h"
#include "util/fail.h"

enum {
    HEADER = 8,
    ENTRY = 32,    // of the index, one a segment
    FOOTER = 80,
    VERSION = 1,
    CONTEXTS = 8,  // gap codes, chosen by the size of the gap before
    EXACT = 16,    // smaller gaps are symbols of their own
};
static const char magic[4] = {'P', '2', 'E', 'F'};
const char *const set_codecs[] = {"gaps", "elias-fano", "smallest", NULL};

// The class of the gap that a symbol stands for, in eight steps of its size.
static unsigned class_of(unsigned symbol) {
    static const uint8_t upto[CONTEXTS - 1] = {0, 3, 15, 23, 31, 43, 55};
    unsigned k = 0;
    while (k < CONTEXTS - 1 && symbol > upto[k]) k++;
    return k;
}

// A gap less one as symbol and raw bits: small ones have their own symbol,
// larger ones four symbols an octave.
static inline unsigned gap_symbol(uint64_t v, unsigned *raw) {
    if (v < EXACT) return *raw = 0, (unsigned)v;
    unsigned e = 63 - (unsigned)__builtin_clzll(v);
    *raw = e - 2;
    return EXACT + (e - 4) * 4 + (unsigned)(v >> (e - 2) & 3);
}

struct set_writer {
    enum set_codec codec;
    int (*sink)(void *, const void *, size_t);
    void *context;
    int failed;
    uint64_t *ids;           // of the present segment
    uint8_t *scratch[2];     // the segment in each codec
    uint8_t *index;
    size_t n, room, scratch_room, segments, index_room;
    uint64_t count, first, last, offset;
    uint8_t classes[HUFFMAN_SYMBOLS];
};

static int put(struct set_writer *w, const void *data, size_t n) {
    w->offset += n;
    if (w->failed || w->sink(w->context, data, n)) w->failed = 1;
    return w->failed ? -1 : 0;
}

struct set_writer *set_create(enum set_codec codec, int (*sink)(void *, const void *, size_t),
                              void *context) {
    struct set_writer *w = calloc(1, sizeof *w);
    if (!w) return fail("out of memory"), NULL;
    w->codec = codec;
    w->sink = sink;
    w->context = context;
    for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) w->classes[i] = (uint8_t)class_of(i);
    uint8_t header[HEADER] = {0};
    memcpy(header, magic, sizeof magic);
    header[4] = VERSION;
    if (put(w, header, sizeof header) == 0) return w;
    set_abandon(w);
    return NULL;
}

void set_abandon(struct set_writer *w) {
    if (!w) return;
    free(w->ids);
    free(w->scratch[0]);
    free(w->scratch[1]);
    free(w->index);
    free(w);
}

// The bits of all gaps if their codes have these lengths, or none for gaps
// that start a block.
static void count_gaps(const struct set_writer *w, uint32_t count[CONTEXTS][HUFFMAN_SYMBOLS]) {
    unsigned context = 0, raw;
    for (size_t i = 1; i < w->n; i++) {
        if (i % SET_BLOCK == 0) {
            context = 0;
            continue;
        }
        unsigned symbol = gap_symbol(w->ids[i] - w->ids[i - 1] - 1, &raw);
        count[context][symbol]++;
        context = w->classes[symbol];
    }
}

// Fills one table a context; returns the bytes of tables and codes.
static size_t make_codes(unsigned contexts, uint32_t count[CONTEXTS][HUFFMAN_SYMBOLS],
                         uint8_t length[CONTEXTS][HUFFMAN_SYMBOLS]) {
    uint64_t bits = 0, bytes = 0;
    uint8_t packed[HUFFMAN_SYMBOLS];
    for (unsigned k = 0; k < contexts; k++) {
        huffman_lengths(count[k], length[k]);
        bytes += huffman_put(length[k], packed);
        for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) bits += (uint64_t)count[k][i] * length[k][i];
    }
    return bytes + bits / 8;
}

// One table for all if eight do not pay, as in small sets.
static unsigned choose_codes(const struct set_writer *w, uint8_t length[CONTEXTS][HUFFMAN_SYMBOLS]) {
    uint32_t count[CONTEXTS][HUFFMAN_SYMBOLS] = {{0}}, sum[CONTEXTS][HUFFMAN_SYMBOLS] = {{0}};
    uint8_t single[CONTEXTS][HUFFMAN_SYMBOLS];
    count_gaps(w, count);
    for (unsigned k = 0; k < CONTEXTS; k++)
        for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) sum[0][i] += count[k][i];
    size_t many = make_codes(CONTEXTS, count, length), one = make_codes(1, sum, single);
    if (many < one) return CONTEXTS;
    memcpy(length[0], single[0], sizeof single[0]);
    return 1;
}

static void put_gaps(const struct set_writer *w, struct bits *b, unsigned contexts,
                     uint8_t length[CONTEXTS][HUFFMAN_SYMBOLS], uint64_t *offsets) {
    uint16_t code[CONTEXTS][HUFFMAN_SYMBOLS];
    const uint8_t *start = b->to;
    unsigned context = 0, raw;
    for (unsigned k = 0; k < contexts; k++) huffman_codes(length[k], code[k]);
    for (size_t i = 0; i < w->n; i++) {
        if (i % SET_BLOCK == 0) {
            offsets[i / SET_BLOCK] = (uint64_t)(b->to - start) * 8 + b->n;
            context = 0;
            continue;
        }
        uint64_t v = w->ids[i] - w->ids[i - 1] - 1;
        unsigned symbol = gap_symbol(v, &raw);
        bits_put(b, code[context][symbol], length[context][symbol]);
        if (raw) bits_put_wide(b, v & bits_mask(raw), raw);
        if (contexts > 1) context = w->classes[symbol];
    }
}

// contexts, widths of a head's two fields, tables, heads, gaps. The bytes.
static size_t encode_gaps(const struct set_writer *w, uint8_t *to) {
    uint8_t length[CONTEXTS][HUFFMAN_SYMBOLS];
    uint64_t offsets[SET_SEGMENT / SET_BLOCK];
    unsigned contexts = choose_codes(w, length);
    size_t blocks = (w->n + SET_BLOCK - 1) / SET_BLOCK, at = 8;
    for (unsigned k = 0; k < contexts; k++) at += huffman_put(length[k], to + at);
    // Heads need the offsets, so the gaps are written where heads of the
    // greatest width would leave room, and moved.
    uint8_t *gaps = to + at + 16 * blocks + BITS_PADDING;
    struct bits b = {gaps, 0, 0};
    put_gaps(w, &b, contexts, length, offsets);
    size_t n_gaps = (size_t)(bits_end(&b) - gaps);
    unsigned id_width = bits_width(w->ids[(blocks - 1) * SET_BLOCK] - w->ids[0]);
    unsigned at_width = bits_width(offsets[blocks - 1]);
    struct bits heads = {to + at, 0, 0};
    for (size_t k = 0; k < blocks; k++) {
        bits_put_wide(&heads, w->ids[k * SET_BLOCK] - w->ids[0], id_width);
        bits_put_wide(&heads, offsets[k], at_width);
    }
    uint8_t *end = bits_end(&heads);
    memmove(end, gaps, n_gaps);
    to[0] = (uint8_t)contexts;
    to[1] = (uint8_t)id_width;
    to[2] = (uint8_t)at_width;
    to[3] = 0;
    put_u32(to + 4, (uint32_t)(end - to));
    return (size_t)(end - to) + n_gaps;
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

static int make_room(void **p, size_t *room, size_t want, size_t size) {
    if (want <= *room) return 0;
    size_t next = *room * 2 > want ? *room * 2 : want;
    void *wider = realloc(*p, next * size);
    if (!wider) return fail("memory: cannot get %zu x %zu bytes", next, size);
    *p = wider;
    *room = next;
    return 0;
}

// Writes the segment that is full, or the last one.
static int put_segment(struct set_writer *w) {
    if (w->n == 0) return 0;
    // 71 bits a gap at most, two heads' words a block, and the tables.
    size_t most = w->n * 9 + (w->n / SET_BLOCK + 1) * 24 + 4096;
    for (int k = 0; k < 2 && most > w->scratch_room; k++) {
        free(w->scratch[k]);
        if (!(w->scratch[k] = fail_alloc(most, 1))) return w->failed = 1, -1;
    }
    if (most > w->scratch_room) w->scratch_room = most;
    void *index = w->index;
    if (make_room(&index, &w->index_room, w->segments + 1, ENTRY)) return w->failed = 1, -1;
    w->index = index;
    size_t size[2] = {SIZE_MAX, SIZE_MAX};
    if (w->codec != SET_ELIAS_FANO) size[SET_GAPS] = encode_gaps(w, w->scratch[0]);
    if (w->codec != SET_GAPS) size[SET_ELIAS_FANO] = encode_elias_fano(w, w->scratch[1]);
    int codec = size[SET_ELIAS_FANO] < size[SET_GAPS];
    uint8_t *entry = w->index + w->segments++ * ENTRY;
    put_u64(entry, w->ids[0]);
    put_u64(entry + 8, w->offset);
    put_u32(entry + 16, (uint32_t)w->n);
    put_u32(entry + 20, (uint32_t)codec);
    put_u32(entry + 24, (uint32_t)size[codec]);
    put_u32(entry + 28, crc32c(0, w->scratch[codec], size[codec]));
    w->n = 0;
    return put(w, w->scratch[codec], size[codec]);
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
        void *room = w->ids;
        if (make_room(&room, &w->room, w->n + take, sizeof *w->ids)) return w->failed = 1, -1;
        w->ids = room;
        memcpy(w->ids + w->n, ids, take * sizeof *ids);
        w->n += take;
        ids += take;
        n -= take;
        if (w->n == SET_SEGMENT && put_segment(w)) return -1;
    }
    return 0;
}

int set_finish(struct set_writer *w, const uint64_t notes[SET_NOTES]) {
    uint8_t footer[FOOTER];
    int status = w->failed ? -1 : put_segment(w);
    if (status == 0) {
        uint64_t index_at = w->offset;
        status = w->segments ? put(w, w->index, w->segments * ENTRY) : 0;
        put_u64(footer, w->count);
        put_u64(footer + 8, w->first);
        put_u64(footer + 16, w->last);
        put_u64(footer + 24, index_at);
        for (int i = 0; i < SET_NOTES; i++) put_u64(footer + 32 + 8 * i, notes ? notes[i] : 0);
        put_u64(footer + 64, w->segments);
        put_u32(footer + 72, crc32c(0, w->index, w->segments * ENTRY));
        put_u32(footer + 76, crc32c(0, footer, 76));
    }
    if (status == 0) status = put(w, footer, sizeof footer);
    set_abandon(w);
    return status;
}

struct segment {
    uint64_t first;
    uint32_t count;
    enum set_codec codec;
    // Gaps: tables, heads and where the bits are.
    unsigned contexts, id_width, at_width;
    const uint8_t *heads, *gaps;
    uint64_t gaps_end;       // the last bit that may be looked at
    uint16_t (*table)[1 << HUFFMAN_BITS];
    struct elias_fano ef;
};

struct set {
    const uint8_t *bytes;
    size_t size;
    int mapped;
    uint64_t count, first, last, n_segments, notes[SET_NOTES];
    struct segment *segment;
    uint8_t classes[HUFFMAN_SYMBOLS];
};

static int damaged(const char *name, const char *what) { return fail("%s: %s", name, what); }

static int open_gaps(struct segment *s, const uint8_t *p, size_t size, const char *name) {
    if (size < 8 + 2 * BITS_PADDING) return damaged(name, "segment too short");
    uint64_t blocks = (s->count + SET_BLOCK - 1) / SET_BLOCK;
    uint32_t gaps_at = get_u32(p + 4);
    s->contexts = p[0];
    s->id_width = p[1];
    s->at_width = p[2];
    if ((s->contexts != 1 && s->contexts != CONTEXTS) || s->id_width > 64 || s->at_width > 32 ||
        p[3] || gaps_at > size - BITS_PADDING)
        return damaged(name, "segment header out of range");
    s->table = fail_alloc(s->contexts, sizeof *s->table);
    if (!s->table) return -1;
    size_t at = 8;
    for (unsigned k = 0; k < s->contexts; k++) {
        uint8_t length[HUFFMAN_SYMBOLS];
        size_t used = huffman_get(p + at, gaps_at - at, length);
        if (!used || huffman_table(length, s->table[k])) return damaged(name, "bad code table");
        at += used;
        if (at > gaps_at) return damaged(name, "bad code table");
    }
    if (gaps_at - at != (blocks * (s->id_width + s->at_width) + 7) / 8 + BITS_PADDING)
        return damaged(name, "segment header out of range");
    s->heads = p + at;
    s->gaps = p + gaps_at;
    s->gaps_end = 8 * (size - gaps_at - BITS_PADDING);
    return 0;
}

static int open_elias_fano(struct segment *s, const uint8_t *p, size_t size, const char *name) {
    if (size < 16 || p[0] > 63 || get_u32(p + 4) != s->count ||
        get_u64(p + 8) >> p[0] > 4 * (uint64_t)SET_SEGMENT)
        return damaged(name, "segment header out of range");
    s->ef = elias_fano_layout(p[0], s->count, get_u64(p + 8), p);
    if (elias_fano_size(&s->ef, p) != size) return damaged(name, "segment of another size");
    uint64_t ones = 0, bits = (uint64_t)s->ef.ones + s->ef.zeros;
    for (uint64_t at = 0; at < bits; at += 32)
        ones += (unsigned)__builtin_popcountll(
            bits_get(s->ef.high, at, bits - at < 32 ? (unsigned)(bits - at) : 32));
    if (ones != s->count) return damaged(name, "segment of another count");
    return 0;
}

static int open_segment(struct set *set, uint64_t i, uint64_t index_at, const char *name) {
    const uint8_t *entry = set->bytes + index_at + i * ENTRY;
    struct segment *s = &set->segment[i];
    uint64_t offset = get_u64(entry + 8), size = get_u32(entry + 24);
    s->first = get_u64(entry);
    s->count = get_u32(entry + 16);
    s->codec = get_u32(entry + 20);
    int last = i + 1 == set->n_segments;
    if (offset < HEADER || offset > index_at || size > index_at - offset || s->count == 0 ||
        s->count > SET_SEGMENT || (!last && s->count != SET_SEGMENT))
        return damaged(name, "index out of range");
    if (i && s->first <= set->segment[i - 1].first) return damaged(name, "index not in order");
    if (crc32c(0, set->bytes + offset, size) != get_u32(entry + 28))
        return damaged(name, "checksum of a segment does not match");
    if (s->codec == SET_GAPS) return open_gaps(s, set->bytes + offset, size, name);
    if (s->codec == SET_ELIAS_FANO) return open_elias_fano(s, set->bytes + offset, size, name);
    return damaged(name, "segment of unknown codec");
}

static int open_parts(struct set *set, const char *name) {
    const uint8_t *p = set->bytes;
    size_t n = set->size;
    if (n < HEADER || memcmp(p, magic, sizeof magic) != 0) return damaged(name, "not an .ef file");
    if (p[4] != VERSION) return fail("%s: .ef file of unknown version %u", name, p[4]);
    if (n < HEADER + FOOTER || p[5] || p[6] || p[7]) return damaged(name, "damaged or cut short");
    const uint8_t *footer = p + n - FOOTER;
    if (crc32c(0, footer, 76) != get_u32(footer + 76)) return damaged(name, "damaged or cut short");
    uint64_t index_at = get_u64(footer + 24);
    set->count = get_u64(footer);
    set->first = get_u64(footer + 8);
    set->last = get_u64(footer + 16);
    set->n_segments = get_u64(footer + 64);
    for (int i = 0; i < SET_NOTES; i++) set->notes[i] = get_u64(footer + 32 + 8 * i);
    if (index_at < HEADER || index_at > n - FOOTER ||
        (n - FOOTER - index_at) / ENTRY != set->n_segments || (n - FOOTER - index_at) % ENTRY ||
        crc32c(0, p + index_at, n - FOOTER - index_at) != get_u32(footer + 72))
        return damaged(name, "index is damaged");
    set->segment = calloc(set->n_segments + 1, sizeof *set->segment);
    if (!set->segment) return fail("out of memory");
    uint64_t count = 0;
    for (uint64_t i = 0; i < set->n_segments; i++) {
        if (open_segment(set, i, index_at, name)) return -1;
        count += set->segment[i].count;
    }
    if (count != set->count) return damaged(name, "index counts other numbers");
    for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) set->classes[i] = (uint8_t)class_of(i);
    return 0;
}

struct set *set_view(const void *bytes, size_t n, const char *name) {
    struct set *set = calloc(1, sizeof *set);
    if (!set) return fail("out of memory"), NULL;
    set->bytes = bytes;
    set->size = n;
    if (open_parts(set, name) == 0) return set;
    set_close(set);
    return NULL;
}

struct set *set_open(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return fail_errno(path), NULL;
    void *p = MAP_FAILED;
    if (fstat(fd, &st) == 0 && st.st_size > 0)
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) {
        if (st.st_size == 0)
            fail("%s: is empty", path);
        else
            fail_errno(path);
        close(fd);
        return NULL;
    }
    close(fd);
    struct set *set = set_view(p, (size_t)st.st_size, path);
    if (set)
        set->mapped = 1;
    else
        munmap(p, (size_t)st.st_size);
    return set;
}

void set_close(struct set *set) {
    if (!set) return;
    for (uint64_t i = 0; set->segment && i < set->n_segments; i++) free(set->segment[i].table);
    free(set->segment);
    if (set->mapped) munmap((void *)(uintptr_t)set->bytes, set->size);
    free(set);
}

uint64_t set_count(const struct set *set) { return set->count; }
uint64_t set_first(const struct set *set) { return set->first; }
uint64_t set_last(const struct set *set) { return set->last; }
uint64_t set_bytes(const struct set *set) { return set->size; }
const uint64_t *set_notes(const struct set *set) { return set->notes; }

uint64_t set_segments(const struct set *set, enum set_codec codec) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < set->n_segments; i++) n += set->segment[i].codec == codec;
    return n;
}

// Unpacks n numbers of a block, the first given; stops after the first that is
// not below until. Returns how many were written.
static size_t decode_gaps(const struct set *set, const struct segment *s, uint64_t at, uint64_t id,
                          size_t n, uint64_t until, uint64_t *ids) {
    unsigned context = 0;
    size_t i = 0;
    ids[i++] = id;
    while (i < n && id < until) {
        // A table that is valid but not the writer's could lead beyond the end.
        if (at > s->gaps_end) at = s->gaps_end;
        uint64_t word = bits_word(s->gaps + (at >> 3)) >> (at & 7);
        unsigned entry = s->table[context][word & ((1 << HUFFMAN_BITS) - 1)];
        unsigned length = entry & 15, symbol = entry >> 4;
        at += length;
        uint64_t v = symbol;
        if (symbol >= EXACT) {
            unsigned raw = ((symbol - EXACT) >> 2) + 2;
            uint64_t rest = word >> length & bits_mask(raw);
            if (length + raw > 56) {
                if (at > s->gaps_end) at = s->gaps_end;
                rest = bits_get(s->gaps, at, 30);
                uint64_t more = at + 30 > s->gaps_end ? s->gaps_end : at + 30;
                rest = (rest | bits_get(s->gaps, more, 34) << 30) & bits_mask(raw);
            }
            v = (uint64_t)(4 | ((symbol - EXACT) & 3)) << raw | rest;
            at += raw;
        }
        if (s->contexts > 1) context = set->classes[symbol];
        ids[i++] = id += v + 1;
    }
    return i;
}

static inline uint64_t head_id(const struct segment *s, uint64_t k) {
    return s->first + bits_get_wide(s->heads, k * (s->id_width + s->at_width), s->id_width);
}

static inline uint64_t head_at(const struct segment *s, uint64_t k) {
    return bits_get(s->heads, k * (s->id_width + s->at_width) + s->id_width, s->at_width);
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
    uint64_t k = in / SET_BLOCK;
    return decode_gaps(set, s, head_at(s, k), head_id(s, k), n, UINT64_MAX, ids);
}

static uint64_t below_gaps(const struct set *set, const struct segment *s, uint64_t id, int *found) {
    uint64_t low = 0, high = (s->count + SET_BLOCK - 1) / SET_BLOCK, ids[SET_BLOCK];
    while (high - low > 1) {
        uint64_t mid = (low + high) / 2;
        if (head_id(s, mid) <= id)
            low = mid;
        else
            high = mid;
    }
    size_t left = s->count - low * SET_BLOCK, n = left < SET_BLOCK ? left : SET_BLOCK;
    n = decode_gaps(set, s, head_at(s, low), head_id(s, low), n, id, ids);
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
                                                           : below_gaps(set, s, id, found));
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
