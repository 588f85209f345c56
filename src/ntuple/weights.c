// SPDX-License-Identifier: MIT
#include "ntuple/weights.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ntuple/half.h"
#include "util/bytes.h"
#include "util/crc32c.h"
#include "util/fail.h"

#if defined __linux__ && !defined MADV_COLLAPSE
#define MADV_COLLAPSE 25 // since Linux 6.1; older C libraries do not name it
#endif

// Offsets in the header; weights(5) has the table.
enum {
    VERSION = 1,
    AT_TEXT_SIZE = 8,
    AT_BODY = 16,       // where the weights begin
    AT_WEIGHTS = 24,
    AT_ACCUMULATORS = 32,
    AT_PARAMETERS = 40,
    AT_INIT = 48,
    AT_FIXED_SUM = 60,  // of bytes 0 to 59 and the text
    AT_MOVES = 64,      // from here on, what learning changes
    AT_EPISODES = 72,
    AT_STATE = 80,      // 0 closed properly, 1 being written
    AT_RULE = 84,       // 16 bits each
    AT_PROMOTED = 86,
    AT_BODY_SUM = 88,   // of all after the header
    AT_LEARNED_SUM = 92, // of bytes 64 to 91
    AT_TEXT = 128,
    PAGE = 4096,
    CHUNK = 1 << 22,
    HUGE_PAGE = 1 << 21,
};
static const uint8_t magic[8] = {'P', '2', 'N', 'W', VERSION, 0, 0, 0};

struct weights_map {
    int fd;
    enum weights_mode mode;
    uint8_t *room;   // what is reserved, with bytes inside
    uint8_t *bytes;
    uint64_t size;   // mapped
    uint64_t body;   // where the weights begin
    uint64_t acc_at; // where accumulators begin, or would
};

static uint64_t whole_pages(uint64_t n) { return (n + PAGE - 1) / PAGE * PAGE; }

static uint64_t body_at(const struct network *net) { return whole_pages(AT_TEXT + net->size); }

// Bytes of all first or all second halves.
static uint64_t half_at(const struct layout *l) { return whole_pages(l->weights * sizeof(uint16_t)); }

static uint64_t accumulators_at(const struct network *net, const struct layout *l) {
    return body_at(net) + 2 * half_at(l);
}

// Of one weight's accumulators, which are floats.
static uint64_t rule_bytes(unsigned rule) {
    return rule == RULE_TC ? sizeof(struct accumulator) : rule == RULE_AUTOSTEP ? sizeof(struct step_size) : 0;
}

uint64_t weights_bytes(const struct network *net, const struct layout *l) {
    return accumulators_at(net, l);
}

uint64_t weights_learner_bytes(const struct network *net, const struct layout *l, enum weights_rule rule) {
    return accumulators_at(net, l) + whole_pages(l->weights * rule_bytes(rule));
}

int weights_magic(const uint8_t *bytes, size_t n) { return n >= 4 && memcmp(bytes, magic, 4) == 0; }

static uint32_t fixed_sum(const uint8_t *h, size_t text) {
    return crc32c(crc32c(0, h, AT_FIXED_SUM), h + AT_TEXT, text);
}

// The state comes last: who opens the file meanwhile finds it open, or sealed
// with sums that fit.
static void seal(uint8_t *h, uint32_t body_sum) {
    uint8_t learned[AT_LEARNED_SUM - AT_MOVES];
    put_u32(h + AT_BODY_SUM, body_sum);
    memcpy(learned, h + AT_MOVES, sizeof learned);
    put_u32(learned + AT_STATE - AT_MOVES, 0);
    put_u32(h + AT_LEARNED_SUM, crc32c(0, learned, sizeof learned));
    atomic_thread_fence(memory_order_release);
    put_u32(h + AT_STATE, 0);
}

static void fill_header(uint8_t *h, const struct network *net, const struct layout *l, double init) {
    memcpy(h, magic, sizeof magic);
    put_u32(h + AT_TEXT_SIZE, (uint32_t)net->size);
    put_u64(h + AT_BODY, body_at(net));
    put_u64(h + AT_WEIGHTS, l->weights);
    put_u64(h + AT_ACCUMULATORS, accumulators_at(net, l));
    put_u64(h + AT_PARAMETERS, network_parameters(net));
    put_f64(h + AT_INIT, init);
    memcpy(h + AT_TEXT, net->text, net->size);
    put_u32(h + AT_FIXED_SUM, fixed_sum(h, net->size));
}

// What a file is written from: the header, then all first halves and all second
// halves of the weights, or of one value.
struct image {
    uint8_t *header;
    uint64_t header_size, size; // size: of the whole file
    const float *v;             // NULL: value everywhere
    const struct layout *layout;
    float value;
};

// Copies bytes [at, at + n) of the body.
static void copy_body(const struct image *image, uint64_t at, uint8_t *to, size_t n) {
    uint64_t half = half_at(image->layout);
    float scale = image->layout->scale;
    for (size_t i = 0; i < n; i += 2) {
        uint64_t k = (at + i) % half / 2;
        uint16_t first = 0;
        int16_t second = 0;
        if (k < image->layout->weights)
            half_split((image->v ? image->v[k] : image->value) / scale, &first, &second);
        put_u16(to + i, at + i < half ? first : (uint16_t)second);
    }
}

// Passes over the body for the checksum, or over the whole file writing it.
// Writes are large and aligned: file systems that can then keep the file in
// huge pages, which makes look-ups a fifth faster.
static int pass(const struct image *image, uint8_t *chunk, uint32_t *sum, struct out *out) {
    for (uint64_t at = 0; at < image->size; at += CHUNK) {
        size_t n = image->size - at < CHUNK ? (size_t)(image->size - at) : CHUNK;
        size_t head = at < image->header_size ? (size_t)image->header_size : 0;
        memcpy(chunk, image->header, head);
        copy_body(image, at + head - image->header_size, chunk + head, n - head);
        if (!out)
            *sum = crc32c(*sum, chunk + head, n - head);
        else if (out_write(out, chunk, n))
            return -1;
    }
    return 0;
}

// More than there is of memory could be mapped, but never used in earnest.
static int fits_memory(const char *path, uint64_t bytes) {
    double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if ((double)bytes <= have) return 0;
    return fail("%s: needs %.1f GiB of memory, this machine has %.1f", path, (double)bytes / 0x1p30,
                have / 0x1p30);
}

int weights_create(const char *path, const struct network *net, double init, const float *v) {
    return weights_create_learned(path, net, init, v, 0, 0);
}

int weights_create_learned(const char *path, const struct network *net, double init, const float *v,
                           uint64_t moves, uint64_t episodes) {
    struct layout *l = layout_new(net);
    uint8_t *header = calloc(1, body_at(net)), *chunk = fail_alloc(CHUNK, 1);
    struct out *out = NULL;
    int status = l && header && chunk ? fits_memory(path, weights_bytes(net, l)) : -1;
    if (status == 0 && !(fabs(init / l->features / (double)l->scale) < (double)HALF_MOST))
        status = fail("%s: initial value %g is too large", path, init);
    for (uint64_t i = 0; status == 0 && v && i < l->weights; i++)
        if (!(fabsf(v[i] / l->scale) < HALF_MOST)) status = fail("%s: weight %g is too large", path, (double)v[i]);
    if (status == 0) {
        struct image image = {header, body_at(net), weights_bytes(net, l), v, l,
                              (float)(init / l->features)};
        uint32_t sum = 0;
        // The checksum stands before the body, so it is computed first.
        pass(&image, chunk, &sum, NULL);
        fill_header(header, net, l, init);
        put_u64(header + AT_MOVES, moves);
        put_u64(header + AT_EPISODES, episodes);
        seal(header, sum);
        out = out_open(path, OUT_BINARY);
        status = out ? pass(&image, chunk, &sum, out) : -1;
        if (status == 0)
            status = out_close(out);
        else
            out_abort(out);
    }
    layout_free(l);
    free(header);
    free(chunk);
    return status;
}

// Reads and checks the header up to the network; fills net, layout and map.
static int read_header(struct weights *w) {
    uint8_t first[AT_TEXT];
    struct stat st;
    struct weights_map *m = w->map;
    if (pread(m->fd, first, sizeof first, 0) != sizeof first || !weights_magic(first, sizeof first))
        return fail("%s: not a weights file", w->path);
    if (first[4] != VERSION) return fail("%s: weights file of unknown version %u", w->path, first[4]);
    uint32_t text = get_u32(first + AT_TEXT_SIZE);
    if (text > NETWORK_TEXT) return fail("%s: header is damaged", w->path);
    uint8_t *h = fail_alloc(AT_TEXT + text, 1);
    if (!h) return -1;
    int status = 0;
    if (pread(m->fd, h, AT_TEXT + text, 0) != (ssize_t)(AT_TEXT + text))
        status = fail("%s: cut short", w->path);
    else if (get_u32(h + AT_FIXED_SUM) != fixed_sum(h, text))
        status = fail("%s: header is damaged (checksum does not match)", w->path);
    else if (get_u32(h + AT_STATE) == 0 &&
             get_u32(h + AT_LEARNED_SUM) != crc32c(0, h + AT_MOVES, AT_LEARNED_SUM - AT_MOVES))
        status = fail("%s: header is damaged (second checksum does not match)", w->path);
    else if (get_u32(h + AT_STATE) > 1 || get_u16(h + AT_RULE) > RULE_AUTOSTEP ||
             get_u16(h + AT_PROMOTED) > 1)
        status = fail("%s: header: field out of range", w->path);
    else
        status = network_parse(&w->net, w->path, (const char *)h + AT_TEXT, text);
    if (status == 0 && !(w->layout = layout_new(&w->net)))
        status = fail("%s: %s", w->path, fail_text());
    if (status == 0) {
        m->body = body_at(&w->net);
        m->acc_at = accumulators_at(&w->net, w->layout);
        m->size = weights_learner_bytes(&w->net, w->layout, (enum weights_rule)get_u16(h + AT_RULE));
        if (get_u64(h + AT_BODY) != m->body || get_u64(h + AT_WEIGHTS) != w->layout->weights ||
            get_u64(h + AT_ACCUMULATORS) != m->acc_at)
            status = fail("%s: header does not fit its network", w->path);
        else if (fstat(m->fd, &st)) // after the header: a learner makes the file longer, then says so
            status = fail_errno(w->path);
        else if ((uint64_t)st.st_size < m->size)
            status = fail("%s: cut short (%" PRIu64 " of %" PRIu64 " bytes)", w->path,
                          (uint64_t)st.st_size, m->size);
    }
    free(h);
    return status;
}

// Several learners share the lock; the last one gets it alone.
static int take_lock(struct weights *w) {
    int kind = w->map->mode == WEIGHTS_ALONE ? LOCK_EX : LOCK_SH;
    // A learner that is just closing holds it alone for a moment.
    for (int tries = 0; tries < 50; tries++) {
        if (flock(w->map->fd, kind | LOCK_NB) == 0) return 0;
        if (errno != EWOULDBLOCK) return fail_errno(w->path);
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    }
    return fail("%s: in use by another learner", w->path);
}

static void point_into(struct weights *w) {
    uint8_t *b = w->map->bytes;
    w->v = (uint16_t *)(void *)(b + w->map->body);
    w->rest = (int16_t *)(void *)(b + w->map->body + half_at(w->layout));
    void *accumulators = w->map->size > w->map->acc_at ? b + w->map->acc_at : NULL;
    w->acc = get_u16(b + AT_RULE) == RULE_TC ? accumulators : NULL;
    w->sizes = get_u16(b + AT_RULE) == RULE_AUTOSTEP ? accumulators : NULL;
    w->moves = (_Atomic uint64_t *)(void *)(b + AT_MOVES);
    w->episodes = (_Atomic uint64_t *)(void *)(b + AT_EPISODES);
}

// Random look-ups in ordinary pages spend a fifth of their time on finding the
// page. Where the system cannot or will not, nothing is lost.
static void ask_for_huge_pages(const struct weights_map *m) {
#ifdef MADV_HUGEPAGE
    madvise(m->bytes, m->size, MADV_HUGEPAGE);
#endif
#ifdef MADV_COLLAPSE
    madvise(m->bytes, m->size / HUGE_PAGE * HUGE_PAGE, MADV_COLLAPSE);
#endif
}

static void unmap_file(struct weights_map *m) {
    if (m->bytes) munmap(m->room, m->size + HUGE_PAGE);
    m->bytes = NULL;
}

static int map_file(struct weights *w) {
    struct weights_map *m = w->map;
    int protection = PROT_READ | (m->mode == WEIGHTS_PLAY ? 0 : PROT_WRITE);
    // Huge pages need an address that is a multiple of their size: room for
    // one more is reserved, and the map is put at the first such address.
    uint8_t *room = mmap(NULL, m->size + HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return fail_errno(w->path);
    uint8_t *at = room + (HUGE_PAGE - (uintptr_t)room % HUGE_PAGE) % HUGE_PAGE;
    void *p = mmap(at, m->size, protection, MAP_SHARED | MAP_FIXED, m->fd, 0);
    if (p == MAP_FAILED) return munmap(room, m->size + HUGE_PAGE), fail_errno(w->path);
    m->bytes = p;
    m->room = room;
    ask_for_huge_pages(m);
    point_into(w);
    return 0;
}

// All exponent bits set: infinite or not a number.
static int all_finite(const uint16_t *v, uint64_t n) {
    const uint64_t exponents = 0x7c007c007c007c00u, one = 0x0400040004000400u;
    uint64_t bad = 0, i = 0;
    // Four at a time: adding one to a full exponent carries into the sign's bit.
    for (; i + 4 <= n; i += 4) {
        uint64_t four;
        memcpy(&four, v + i, sizeof four);
        bad |= (four & exponents) + one;
    }
    for (; i < n; i++) bad |= (v[i] & exponents & 0xffff) + (one & 0xffff);
    return !(bad & 0x8000800080008000u);
}

static int check_finite(const struct weights *w) {
    if (!all_finite(w->v, w->layout->weights))
        return fail("%s: has a weight that is infinite or not a number", w->path);
    return 0;
}

int weights_open(struct weights *w, const char *path, enum weights_mode mode) {
    const uint16_t one = 1;
    *w = (struct weights){.path = strdup(path)};
    w->map = calloc(1, sizeof *w->map);
    if (!w->path || !w->map) return free(w->path), free(w->map), fail("out of memory");
    w->map->mode = mode;
    w->map->fd = open(path, (mode == WEIGHTS_PLAY ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    struct stat st;
    int status = 0;
    if (*(const uint8_t *)&one != 1)
        status = fail("%s: weights are mapped on little-endian machines only", path);
    else if (w->map->fd < 0 || fstat(w->map->fd, &st))
        status = fail_errno(path);
    else if (!S_ISREG(st.st_mode))
        status = fail("%s: not a weights file", path);
    else
        status = mode == WEIGHTS_PLAY ? 0 : take_lock(w);
    if (status == 0) status = read_header(w);
    if (status == 0) status = map_file(w);
    if (status == 0) status = check_finite(w);
    if (status == 0 && mode != WEIGHTS_PLAY) {
        put_u32(w->map->bytes + AT_STATE, 1);
        if (msync(w->map->bytes, PAGE, MS_SYNC)) status = fail_errno(path);
    }
    if (status) {
        // Nothing was learned: leave the file as it was found.
        w->map->mode = WEIGHTS_PLAY;
        weights_close(w);
    }
    return status;
}

// Another learner may have made the room after this one opened the file.
static int map_accumulators(struct weights *w) {
    enum weights_rule rule = (enum weights_rule)get_u16(w->map->bytes + AT_RULE);
    uint64_t size = weights_learner_bytes(&w->net, w->layout, rule);
    if (w->map->size == size) return 0;
    unmap_file(w->map);
    w->map->size = size;
    return map_file(w);
}

// Two learners may come here at once: room is made first, which does no harm
// twice, and one of them enters the rule.
int weights_accumulate(struct weights *w, enum weights_rule rule) {
    struct weights_map *m = w->map;
    uint64_t size = weights_learner_bytes(&w->net, w->layout, rule);
    _Atomic uint16_t *entered = (_Atomic uint16_t *)(void *)(m->bytes + AT_RULE);
    uint16_t has = *entered;
    if (!has) {
        // Room is reserved now, so that a full disk is an error and not a
        // signal while writing through the map.
        int error = posix_fallocate(m->fd, (off_t)m->acc_at, (off_t)(size - m->acc_at));
        if (error) return errno = error, fail_errno(w->path);
        if (atomic_compare_exchange_strong(entered, &has, (uint16_t)rule)) has = (uint16_t)rule;
    }
    if (has != (uint16_t)rule) return fail("%s: was learned with another rule", w->path);
    return map_accumulators(w);
}

void weights_reset(struct weights *w) { memset(w->map->bytes + w->map->acc_at, 0, w->map->size - w->map->acc_at); }

int weights_promoted(const struct weights *w) { return get_u16(w->map->bytes + AT_PROMOTED); }

int weights_promote(struct weights *w) {
    _Atomic uint16_t *entered = (_Atomic uint16_t *)(void *)(w->map->bytes + AT_PROMOTED);
    uint16_t has = *entered;
    if (has) return 0;
    if (*w->moves) return fail("%s: something was learned without promotion", w->path);
    // Of several learners one does it.
    if (!atomic_compare_exchange_strong(entered, &has, 1)) return 0;
    for (uint64_t i = w->layout->stage_weights; i < w->layout->weights; i++) {
        w->v[i] = HALF_UNUSED;
        w->rest[i] = 0;
    }
    return 0;
}

void weights_read(const struct weights *w, unsigned stage, float *v) {
    uint64_t n = w->layout->stage_weights;
    const uint16_t *first = w->v + stage * n;
    const int16_t *second = w->rest + stage * n;
    for (uint64_t i = 0; i < n; i++)
        if (!stage || first[i] != HALF_UNUSED) v[i] = w->layout->scale * half_join(first[i], second[i]);
}

static uint32_t body_sum(const struct weights_map *m) {
    return crc32c(0, m->bytes + m->body, m->size - m->body);
}

// Whether no other learner is left. One that only looks whether there is one
// holds the lock for a moment, so a refusal counts when it is repeated.
static int become_last(const struct weights_map *m) {
    for (int tries = 0; tries < 5; tries++) {
        if (flock(m->fd, LOCK_EX | LOCK_NB) == 0) return 1;
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    return 0;
}

int weights_close(struct weights *w) {
    struct weights_map *m = w->map;
    int status = 0;
    if (!m) return 0;
    if (m->bytes && m->mode != WEIGHTS_PLAY && become_last(m) && (status = map_accumulators(w)) == 0) {
        if (msync(m->bytes, m->size, MS_SYNC)) status = fail_errno(w->path);
        seal(m->bytes, body_sum(m));
        if (status == 0 && msync(m->bytes, PAGE, MS_SYNC)) status = fail_errno(w->path);
    }
    unmap_file(m);
    if (m->fd >= 0) close(m->fd);
    network_free(&w->net);
    layout_free(w->layout);
    free(w->path);
    free(m);
    w->map = NULL;
    return status;
}

int weights_snapshot(const struct weights *w, const char *path) {
    const struct weights_map *m = w->map;
    struct out *out = NULL;
    uint8_t *header = fail_alloc(m->body, 1), *copy = fail_alloc(m->size - m->body, 1);
    int status = header && copy ? 0 : -1;
    if (status == 0) {
        // Others may go on writing: the checksum must be of the very bytes
        // that are stored, so both come from one copy.
        memcpy(header, m->bytes, m->body);
        memcpy(copy, m->bytes + m->body, m->size - m->body);
        // Accumulators that another learner has are not this one's to copy.
        if (m->size == m->acc_at) put_u16(header + AT_RULE, RULE_NONE);
        seal(header, crc32c(0, copy, m->size - m->body));
        out = out_open(path, OUT_BINARY);
        status = out && out_write(out, header, m->body) == 0 &&
                         out_write(out, copy, m->size - m->body) == 0 ? 0 : -1;
        if (status == 0)
            status = out_close(out);
        else
            out_abort(out);
    }
    free(header);
    free(copy);
    return status;
}

struct weights_info weights_info(const struct weights *w) {
    const uint8_t *h = w->map->bytes;
    int busy = flock(w->map->fd, LOCK_EX | LOCK_NB) != 0;
    if (!busy) flock(w->map->fd, LOCK_UN);
    return (struct weights_info){
        get_u64(h + AT_PARAMETERS), w->map->size, get_f64(h + AT_INIT), get_u64(h + AT_MOVES),
        get_u64(h + AT_EPISODES), get_u32(h + AT_STATE) == 0, busy,
        (enum weights_rule)get_u16(h + AT_RULE), weights_promoted(w)};
}

int weights_verify(const struct weights *w) {
    const uint8_t *h = w->map->bytes;
    // Bytes of the header that no checksum covers are 0.
    uint8_t spare = 0;
    for (uint64_t i = AT_LEARNED_SUM + 4; i < w->map->body; i++)
        if (i < AT_TEXT || i >= AT_TEXT + w->net.size) spare |= h[i];
    if (spare) return fail("%s: header is damaged", w->path);
    if (get_u32(h + AT_STATE))
        return fail("%s: not cleanly closed, there is no checksum to compare", w->path);
    if (get_u32(h + AT_BODY_SUM) != body_sum(w->map))
        return fail("%s: weights are damaged (checksum does not match)", w->path);
    const float *x = (const float *)(const void *)(h + w->map->acc_at);
    for (uint64_t i = 0; i < (w->map->size - w->map->acc_at) / sizeof *x; i++)
        if (!isfinite(x[i]))
            return fail("%s: has an accumulator that is infinite or not a number", w->path);
    return check_finite(w);
}
