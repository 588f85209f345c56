// SPDX-License-Identifier: MIT
#include "solve/backward.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solve/ids.h"
#include "solve/set.h"
#include "solve/table.h"
#include "solve/values.h"
#include "util/bytes.h"
#include "util/crc32c.h"
#include "util/fail.h"
#include "util/par.h"

enum {
    MOST_STATES = SET_BLOCK * MOST_SOLVED_CELLS,
    LAST_START = 8,          // the age of two 4-tiles
    EXACT_HEADER = 16,
    ALWAYS_FITS = 1024,      // an age of so few is never done in parts
    FIXED_BYTES = 24 << 20,
};
static const char exact_magic[8] = {'P', '2', 'E', 'X', 1, 0, 0, 0};

// An age whose values are known: in memory, or in its exact file.
struct held {
    uint64_t age, n;
    int there;
    double *exact;       // NULL: in the file
    struct table table;  // empty unless it is looked up now
    struct set *set;     // open while it is needed, like fd
    int fd;              // of the exact file; 0: not open
};

struct worker {
    uint64_t board[SET_BLOCK], state[MOST_STATES], after[4 * MOST_STATES];
    uint32_t reward[4 * MOST_STATES];
    uint8_t moves[MOST_STATES];
    double value[4 * MOST_STATES], best[2][MOST_STATES];
};

struct backward {
    struct backward_options options;
    struct journal *forward, *journal;
    struct forward_manifest ages;
    struct backward_manifest manifest;
    struct rules rules;
    struct worker *worker;
    table_values_function *values;
    struct table spare;      // memory for the next one
    struct held held[2];     // ages 2 and 4 older than the next
    int unwritten;           // held[0] has no file and no line yet
    struct value_line line;  // of held[0], while unwritten
    struct start_values start;
    uint64_t done, all;
};

static void held_free(struct held *h) {
    free(h->exact);
    table_free(&h->table);
    set_close(h->set);
    if (h->fd) close(h->fd);
    *h = (struct held){0};
}

static uint64_t next_age(const struct backward *b) {
    return b->manifest.last - 2 * (b->manifest.n + (unsigned)b->unwritten);
}

static struct set *open_age(const struct backward *b, uint64_t age) {
    char name[NAME_TEXT];
    const struct age_line *line = forward_manifest_age(&b->ages, age);
    const char *path = journal_path(b->forward, afterstates_name(age, name));
    struct set *set = set_open(path);
    if (set && (set_count(set) != line->afterstates || set_bytes(set) != line->bytes)) {
        fail("%s: not the file that the manifest names", path);
        set_close(set);
        return NULL;
    }
    return set;
}

// Boards of a set's block; returns how many.
static size_t read_boards(const struct set *set, const struct id_codec *codec, uint64_t block,
                          uint64_t board[SET_BLOCK]) {
    size_t n = set_block(set, block, board);
    for (size_t i = 0; i < n; i++) board[i] = id_unpack(codec, board[i]);
    return n;
}

// The exact file: a header with the count, doubles, their checksum.
struct exact_writer {
    struct journal_file *file;
    uint32_t crc;
};

static int exact_create(struct backward *b, struct exact_writer *w, uint64_t age, uint64_t n) {
    char name[NAME_TEXT];
    uint8_t header[EXACT_HEADER];
    memcpy(header, exact_magic, sizeof exact_magic);
    put_u64(header + 8, n);
    w->crc = crc32c(0, header, sizeof header);
    w->file = journal_create(b->journal, exact_name(age, name));
    return w->file ? journal_write(w->file, header, sizeof header) : -1;
}

static int exact_add(struct exact_writer *w, const double *value, uint64_t n) {
    uint8_t bytes[SET_BLOCK * 8];
    for (uint64_t i = 0; i < n; i += SET_BLOCK) {
        uint64_t take = n - i < SET_BLOCK ? n - i : SET_BLOCK;
        for (uint64_t k = 0; k < take; k++) put_f64(bytes + 8 * k, value[i + k]);
        w->crc = crc32c(w->crc, bytes, take * 8);
        if (journal_write(w->file, bytes, take * 8)) return -1;
    }
    return 0;
}

static int exact_done(struct exact_writer *w) {
    struct journal_result result;
    uint8_t sum[4];
    put_u32(sum, w->crc);
    if (journal_write(w->file, sum, sizeof sum)) return journal_drop(w->file), -1;
    return journal_done(w->file, &result);
}

static int exact_put(struct backward *b, const struct held *h) {
    struct exact_writer w = {0};
    if (exact_create(b, &w, h->age, h->n) || exact_add(&w, h->exact, h->n))
        return journal_drop(w.file), -1;
    return exact_done(&w);
}

// Reads values from..to of an age's exact file.
static int exact_read(int fd, const char *name, uint64_t from, uint64_t n, double *to) {
    size_t size = n * 8, done = 0;
    uint8_t *bytes = (uint8_t *)to;
    while (done < size) {
        ssize_t got = pread(fd, bytes + done, size - done, (off_t)(EXACT_HEADER + 8 * from + done));
        if (got < 0) return fail_errno(name);
        if (got == 0) return fail("%s: cut short", name);
        done += (size_t)got;
    }
    for (uint64_t i = 0; i < n; i++) to[i] = get_f64(bytes + 8 * i);
    return 0;
}

// Compares size and checksum; a descriptor to read from, or -1.
static int exact_open(const struct backward *b, uint64_t age, uint64_t n) {
    char name[NAME_TEXT];
    const char *path = journal_path(b->journal, exact_name(age, name));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_errno(path);
    uint8_t header[EXACT_HEADER], bytes[1 << 14];
    uint64_t left = 8 * n;
    uint32_t crc = 0;
    int ok = read(fd, header, sizeof header) == EXACT_HEADER &&
             memcmp(header, exact_magic, sizeof exact_magic) == 0 && get_u64(header + 8) == n;
    crc = crc32c(0, header, sizeof header);
    while (ok && left) {
        ssize_t got = read(fd, bytes, left < sizeof bytes ? left : sizeof bytes);
        ok = got > 0;
        if (ok) crc = crc32c(crc, bytes, (size_t)got), left -= (uint64_t)got;
    }
    ok = ok && read(fd, bytes, 5) == 4 && get_u32(bytes) == crc;
    if (ok) return fd;
    fail("%s: damaged or cut short", path);
    close(fd);
    return -1;
}

// Fills an age's table with the boards at places from..to.
struct filling {
    struct backward *b;
    struct held *h;
    struct id_codec codec;
    uint64_t from, to;
};

static int fill_block(void *context, unsigned worker, uint64_t i) {
    struct filling *f = context;
    uint64_t *board = f->b->worker[worker].board;
    double *value = f->b->worker[worker].value;
    uint64_t block = f->from / SET_BLOCK + i, first = block * SET_BLOCK;
    size_t n = read_boards(f->h->set, &f->codec, block, board);
    if (f->h->exact)
        memcpy(value, f->h->exact + first, n * sizeof *value);
    else if (exact_read(f->h->fd, "exact values", first, n, value))
        return -1;
    uint64_t low = f->from > first ? f->from - first : 0, high = f->to - first < n ? f->to - first : n;
    table_add(&f->h->table, board + low, value + low, high - low);
    return 0;
}

// Opens what an age's table is filled from.
static int held_open(const struct backward *b, struct held *h) {
    if (!h->set && !(h->set = open_age(b, h->age))) return -1;
    if (h->exact || h->fd) return 0;
    int fd = exact_open(b, h->age, h->n);
    if (fd < 0) return -1;
    h->fd = fd;
    return 0;
}

static int fill_table(struct backward *b, struct held *h, uint64_t from, uint64_t to) {
    struct filling f = {.b = b, .h = h, .from = from, .to = to};
    table_free(&h->table);
    if (!h->there) return 0;
    if (table_init(&h->table, to - from, &b->spare)) return -1;
    if (from == to) return 0;
    if (id_codec_init(&f.codec, h->age) || held_open(b, h)) return -1;
    uint64_t edge[SET_BLOCK];
    read_boards(h->set, &f.codec, from / SET_BLOCK, edge);
    h->table.low = from ? edge[from % SET_BLOCK] : 0;
    if (to < h->n) {
        read_boards(h->set, &f.codec, to / SET_BLOCK, edge);
        h->table.high = edge[to % SET_BLOCK];
    }
    uint64_t blocks = (to - 1) / SET_BLOCK - from / SET_BLOCK + 1;
    return par_for(b->options.threads, blocks, fill_block, &f);
}

// For the boards in w->board: how good each state is that a tile makes of them,
// as far as the table knows. best has the states' best so far, or -1; fresh
// ones are set.
static int look_up(const struct backward *b, struct worker *w, size_t n, unsigned exponent,
                   const struct table *t, int fresh, double *best) {
    const struct rules *r = &b->rules;
    size_t states = r->kernel->spawn(r, w->board, n, exponent, w->state);
    for (size_t s = 0; s < states && fresh; s++) best[s] = -1;
    if (!t->n) return 0;
    size_t made = r->kernel->slide_rewards(r, w->state, states, w->after, w->reward, w->moves);
    double unit = b->options.objective.reach ? 0 : 1, least = 0;
    b->values(t, w->after, made, w->value);
    const double *value = w->value;
    for (size_t s = 0, k = 0; s < states; s++)
        for (unsigned m = w->moves[s]; m; m--, k++) {
            double v = value[k] + unit * w->reward[k];
            least = value[k] == -1 ? -1 : least;
            v = value[k] < 0 ? -1 : v; // in another part
            best[s] = v > best[s] ? v : best[s];
        }
    return least < 0 ? fail("afterstates: one that a move makes is missing") : 0;
}

static int reached(const struct backward *b, uint64_t board) {
    for (; board; board >>= 4)
        if ((board & 15) >= b->options.objective.reach) return 1;
    return 0;
}

// The value of an afterstate, of its n states with either tile.
static double settle_one(const struct backward *b, const double *of_2, const double *of_4,
                         unsigned n) {
    double two = 0, four = 0, p4 = b->ages.p4;
    for (unsigned i = 0; i < n; i++) {
        double x = of_2[i] < 0 ? 0 : of_2[i], y = of_4[i] < 0 ? 0 : of_4[i];
        switch (b->options.objective.spawn) {
        case SPAWN_EXPECTED:
            two += x;
            four += y;
            break;
        case SPAWN_BEST:
            two = x > two ? x : two;
            four = y > four ? y : four;
            break;
        case SPAWN_WORST:
            two = i == 0 || x < two ? x : two;
            four = i == 0 || y < four ? y : four;
            break;
        }
    }
    double sum = (1 - p4) * two + p4 * four;
    return b->options.objective.spawn == SPAWN_EXPECTED ? sum / n : sum;
}

// Values of the boards in w->board, from what their states are worth.
static void settle(const struct backward *b, struct worker *w, size_t n, const double *of_2,
                   const double *of_4, double *value) {
    unsigned reach = b->options.objective.reach;
    uint8_t *empty = w->moves;
    b->rules.kernel->empty(&b->rules, w->board, n, empty);
    for (size_t i = 0; i < n; i++) {
        value[i] = reach && reached(b, w->board[i]) ? 1 : settle_one(b, of_2, of_4, empty[i]);
        of_2 += empty[i];
        of_4 += empty[i];
    }
}

// The values of an age, made in one go from the tables of two ages.
struct making {
    struct backward *b;
    struct set *set;
    struct id_codec codec;
    struct held *to;
    uint64_t slice, slices;
    // In parts: the chunk of places that is worked on and what is known of it.
    uint64_t from, blocks;
    uint64_t *offset;    // of each block's states in best
    double *best[2], *value;
};

static int values_put(struct values_writer *w, const double *value, uint64_t n, unsigned precision,
                      double *most) {
    uint64_t steps[SET_BLOCK];
    double scale = ldexp(1, (int)precision);
    for (uint64_t i = 0; i < n; i += SET_BLOCK) {
        size_t take = n - i < SET_BLOCK ? (size_t)(n - i) : SET_BLOCK;
        for (size_t k = 0; k < take; k++) {
            steps[k] = (uint64_t)(value[i + k] * scale + 0.5);
            if (value[i + k] > *most) *most = value[i + k];
        }
        if (values_add(w, steps, take)) return -1;
    }
    return 0;
}

static int values_close_file(struct backward *b, struct values_writer *w, struct journal_file *file,
                             struct value_line *line) {
    struct journal_result result;
    (void)b;
    if (values_finish(w)) return journal_drop(file), -1;
    if (journal_done(file, &result)) return -1;
    line->bytes = result.bytes;
    strcpy(line->sha256, result.sha256);
    return 0;
}

// Writes the values file of held[0].
static int write_age(struct backward *b) {
    char name[NAME_TEXT];
    struct value_line *line = &b->line;
    unsigned precision = b->manifest.objective.precision;
    *line = (struct value_line){.age = b->held[0].age};
    struct journal_file *file = journal_create(b->journal, values_name(line->age, name));
    struct values_writer *w = file ? values_create(precision, journal_write, file) : NULL;
    if (!w || values_put(w, b->held[0].exact, b->held[0].n, precision, &line->best)) {
        values_abandon(w);
        journal_drop(file);
        return -1;
    }
    return values_close_file(b, w, file, line);
}

// Commits, with the exact values of the last two ages, and drops older ones.
static int commit(struct backward *b, int (*how)(struct journal *)) {
    char name[NAME_TEXT];
    for (int i = 0; i < 2; i++)
        if (b->held[i].there && b->held[i].exact && exact_put(b, &b->held[i])) return -1;
    for (uint64_t i = 2; i < b->manifest.n; i++) {
        uint64_t age = b->held[0].age + 2 * i;
        exact_name(age, name);
        if (access(journal_path(b->journal, name), F_OK) != 0) break;
        if (journal_remove(b->journal, name)) return -1;
    }
    return how(b->journal);
}

static int keep_written(struct backward *b) {
    b->unwritten = 0;
    if (backward_manifest_add(b->journal, &b->manifest, &b->line)) return -1;
    b->done += b->held[0].n;
    if (b->options.tell) b->options.tell(b->options.context, &b->line, b->done, b->all);
    return 0;
}

static const struct table none;

// Item 0 writes the last age's file; the others make values and the table.
static int make_slice(void *context, unsigned worker, uint64_t i) {
    struct making *m = context;
    struct backward *b = m->b;
    struct worker *w = &b->worker[worker];
    if (b->unwritten && i-- == 0) return write_age(b);
    for (uint64_t block = i * m->slice; block < (i + 1) * m->slice; block++) {
        size_t n = read_boards(m->set, &m->codec, block, w->board);
        double *value = m->to->exact + block * SET_BLOCK;
        // A tile that never appears is looked up as in an age that is not there.
        if (look_up(b, w, n, 1, b->ages.p4 < 1 ? &b->held[0].table : &none, 1, w->best[0]) ||
            look_up(b, w, n, 2, b->ages.p4 > 0 ? &b->held[1].table : &none, 1, w->best[1]))
            return -1;
        settle(b, w, n, w->best[0], w->best[1], value);
        table_add(&m->to->table, w->board, value, n);
        if (n < SET_BLOCK) break;
    }
    return 0;
}

// Expected value of a state with two tiles anywhere, from its age's table.
static int start_value(struct backward *b, const struct held *h, unsigned first, unsigned second,
                       double *to) {
    unsigned cells = b->rules.shape.cells;
    struct worker *w = b->worker;
    double sum = 0;
    for (unsigned i = 0; i < cells; i++)
        for (unsigned j = 0; j < cells; j++) {
            if (i == j) continue;
            double best = 0;
            w->state[0] = (uint64_t)first << 4 * i | (uint64_t)second << 4 * j;
            size_t n = b->rules.kernel->slide_rewards(&b->rules, w->state, 1, w->after, w->reward,
                                                      w->moves);
            b->values(&h->table, w->after, n, w->value);
            for (size_t k = 0; k < n; k++) {
                double v = w->value[k];
                if (v < 0) return fail("afterstates: one that a move makes is missing");
                if (!b->options.objective.reach) v += w->reward[k];
                if (v > best) best = v;
            }
            sum += best;
        }
    *to = sum / (cells * (cells - 1));
    return 0;
}

static int start_values(struct backward *b, const struct held *h) {
    double p4 = b->ages.p4;
    if (h->age == 4 && p4 < 1) return start_value(b, h, 1, 1, &b->start.of_22);
    if (h->age == 6 && p4 > 0 && p4 < 1) return start_value(b, h, 1, 2, &b->start.of_24);
    if (h->age == 8 && p4 > 0) return start_value(b, h, 2, 2, &b->start.of_44);
    return 0;
}

static int make_age(struct backward *b, struct held *to) {
    struct making m = {.b = b, .to = to};
    unsigned threads = b->options.threads;
    if (id_codec_init(&m.codec, to->age) || table_init(&to->table, to->n, &b->spare) ||
        !(to->exact = fail_alloc(to->n, sizeof *to->exact)) || !(m.set = open_age(b, to->age)))
        return -1;
    uint64_t blocks = (to->n + SET_BLOCK - 1) / SET_BLOCK;
    m.slice = blocks / (32 * threads) + 1;
    m.slices = (blocks + m.slice - 1) / m.slice;
    int status = par_for(threads, m.slices + (unsigned)b->unwritten, make_slice, &m);
    set_close(m.set);
    if (status == 0) status = start_values(b, to);
    if (status) return fail("age %" PRIu64 ": %s", to->age, fail_text());
    if (b->unwritten && keep_written(b)) return -1;
    // The starts' values must come from one run, so their ages are one commit.
    return journal_due(b->journal) && to->age > LAST_START ? commit(b, journal_commit_later) : 0;
}

// The states of the chunk's blocks against the part that the tables hold.
static int part_block(void *context, unsigned worker, uint64_t i) {
    struct making *m = context;
    struct backward *b = m->b;
    struct worker *w = &b->worker[worker];
    size_t n = read_boards(m->set, &m->codec, m->from + i, w->board);
    for (unsigned e = 0; e < 2; e++)
        if ((e ? b->ages.p4 > 0 : b->ages.p4 < 1) &&
            look_up(b, w, n, e + 1, &b->held[e].table, 0, m->best[e] + m->offset[i]))
            return -1;
    return 0;
}

static int settle_block(void *context, unsigned worker, uint64_t i) {
    struct making *m = context;
    struct worker *w = &m->b->worker[worker];
    size_t n = read_boards(m->set, &m->codec, m->from + i, w->board);
    settle(m->b, w, n, m->best[0] + m->offset[i], m->best[1] + m->offset[i],
           m->value + i * SET_BLOCK);
    return 0;
}

// One chunk against all parts; its values in m->value.
static int make_chunk(struct making *m, unsigned parts) {
    struct backward *b = m->b;
    unsigned threads = b->options.threads;
    uint64_t states = m->offset[m->blocks];
    for (uint64_t k = 0; k < states; k++) m->best[0][k] = m->best[1][k] = -1;
    int status = 0;
    for (unsigned k = 0; k < parts && status == 0; k++) {
        for (int i = 0; i < 2 && status == 0; i++) {
            struct held *h = &b->held[i];
            status = fill_table(b, h, h->n * k / parts, h->n * (k + 1) / parts);
        }
        if (status == 0) status = par_for(threads, m->blocks, part_block, m);
        table_free(&b->held[0].table);
        table_free(&b->held[1].table);
    }
    return status ? -1 : par_for(threads, m->blocks, settle_block, m);
}

// Blocks from m->from whose states fit, with where each one's begin.
static void measure_chunk(struct making *m, uint64_t room, uint64_t most) {
    const struct rules *r = &m->b->rules;
    uint64_t board[SET_BLOCK], states = 0;
    m->blocks = 0;
    m->offset[0] = 0;
    for (size_t n; m->blocks < most && (n = read_boards(m->set, &m->codec, m->from + m->blocks, board));) {
        states += r->kernel->empty(r, board, n, NULL);
        if (states > room) break;
        m->offset[++m->blocks] = states;
    }
}

// An age that does not fit: chunk by chunk, each against the older ages part by
// part, with everything else on disk.
static int make_age_in_parts(struct backward *b, struct held *to) {
    char name[NAME_TEXT];
    uint64_t memory = b->options.memory > 2 * FIXED_BYTES ? b->options.memory - FIXED_BYTES
                                                          : b->options.memory / 2;
    uint64_t states = memory / 3 / 16, most = memory / 12 / (8 * SET_BLOCK) + 1;
    if (states < MOST_STATES) states = MOST_STATES;
    unsigned parts = (unsigned)(2 * TABLE_BYTES * (b->held[0].n + b->held[1].n) / memory) + 1;
    unsigned precision = b->manifest.objective.precision;
    struct making m = {.b = b, .to = to};
    struct exact_writer exact = {0};
    b->line = (struct value_line){.age = to->age};
    m.offset = fail_alloc(most + 1, sizeof *m.offset);
    m.best[0] = fail_alloc(states, sizeof **m.best);
    m.best[1] = fail_alloc(states, sizeof **m.best);
    m.value = fail_alloc(most * SET_BLOCK, sizeof *m.value);
    struct journal_file *file = journal_create(b->journal, values_name(to->age, name));
    struct values_writer *w = file ? values_create(precision, journal_write, file) : NULL;
    int status = m.offset && m.best[0] && m.best[1] && m.value && w &&
                         id_codec_init(&m.codec, to->age) == 0 && (m.set = open_age(b, to->age)) &&
                         exact_create(b, &exact, to->age, to->n) == 0
                     ? 0
                     : -1;
    for (; status == 0 && m.from * SET_BLOCK < to->n; m.from += m.blocks) {
        measure_chunk(&m, states, most);
        uint64_t left = to->n - m.from * SET_BLOCK, n = m.blocks * SET_BLOCK;
        status = make_chunk(&m, parts);
        if (n > left) n = left;
        if (status == 0) status = exact_add(&exact, m.value, n);
        if (status == 0) status = values_put(w, m.value, n, precision, &b->line.best);
    }
    set_close(m.set);
    free(m.offset);
    free(m.best[0]);
    free(m.best[1]);
    free(m.value);
    if (status) {
        values_abandon(w);
        journal_drop(file);
        if (exact.file) journal_drop(exact.file);
        return -1;
    }
    if (values_close_file(b, w, file, &b->line)) return journal_drop(exact.file), -1;
    return exact_done(&exact);
}

// Everything to disk and out of memory.
static int flush(struct backward *b) {
    if (b->unwritten && (write_age(b) || keep_written(b))) return -1;
    if (commit(b, journal_commit)) return -1;
    for (int i = 0; i < 2; i++) {
        free(b->held[i].exact);
        b->held[i].exact = NULL;
        table_free(&b->held[i].table);
    }
    table_free(&b->spare);
    return 0;
}

static void shift(struct backward *b, const struct held *newest) {
    table_free(&b->spare);
    b->spare = b->held[1].table;
    b->held[1].table = (struct table){0};
    held_free(&b->held[1]);
    b->held[1] = b->held[0];
    b->held[0] = *newest;
}

static int fits(const struct backward *b, uint64_t n) {
    uint64_t n2 = b->held[0].n, n4 = b->held[1].n;
    uint64_t need = (TABLE_BYTES + 9) * (n + n2 + n4) + FIXED_BYTES;
    return need <= b->options.memory || n + n2 + n4 < ALWAYS_FITS;
}

static int next(struct backward *b) {
    uint64_t age = next_age(b);
    struct held to = {.age = age, .n = forward_manifest_age(&b->ages, age)->afterstates, .there = 1};
    int status;
    if (fits(b, to.n)) {
        status = 0;
        for (int i = 0; i < 2 && status == 0; i++)
            if (b->held[i].there && !b->held[i].table.n) {
                // From the file, after a restart or an age in parts.
                struct held *h = &b->held[i];
                if (held_open(b, h)) return -1;
                if (!h->exact) {
                    double *exact = fail_alloc(h->n, sizeof *exact);
                    status = exact ? exact_read(h->fd, "exact values", 0, h->n, exact) : -1;
                    h->exact = exact;
                }
                if (status == 0) status = fill_table(b, h, 0, h->n);
            }
        if (status == 0) status = make_age(b, &to);
        if (status) return held_free(&to), -1;
        shift(b, &to);
        b->unwritten = 1;
        return 0;
    }
    if (flush(b) || make_age_in_parts(b, &to)) return -1;
    shift(b, &to);
    return keep_written(b) || commit(b, journal_commit) ? -1 : 0;
}

// Exact values are of no use any more. A kill can come before this, so it is
// done again by whoever finds the values complete.
static int remove_exact(const struct backward *b) {
    char name[NAME_TEXT];
    for (uint64_t age = FIRST_AGE; age <= b->manifest.last; age += 2)
        unlink(journal_path(b->journal, exact_name(age, name)));
    return 0;
}

int backward_run(struct backward *b) {
    if (b->manifest.complete) return remove_exact(b);
    size_t ages = (b->manifest.last - FIRST_AGE) / 2 + 1;
    while (b->manifest.n + (unsigned)b->unwritten < ages)
        if (next(b)) return -1;
    if (b->unwritten && (write_age(b) || keep_written(b))) return -1;
    double p4 = b->ages.p4;
    struct start_values *s = &b->start;
    s->all = (1 - p4) * (1 - p4) * s->of_22 + 2 * p4 * (1 - p4) * s->of_24 + p4 * p4 * s->of_44;
    if (backward_manifest_end(b->journal, &b->manifest, s) || journal_commit(b->journal)) return -1;
    return remove_exact(b);
}

static int same_objective(const struct backward *b, const struct objective *o) {
    const struct objective *is = &b->manifest.objective;
    const char *folder = journal_folder(b->journal);
    if (is->precision != o->precision)
        return fail("%s: has precision %u, not %u", folder, is->precision, o->precision);
    if (is->spawn != o->spawn || is->reach != o->reach || is->horizon != o->horizon)
        return fail("%s: is of another objective", folder);
    if (b->manifest.last != FIRST_AGE + 2 * (b->ages.n - 1))
        return fail("%s: made for %" PRIu64 " as the last age", folder, b->manifest.last);
    return 0;
}

static int open_journals(struct backward *b, const char *folder) {
    char name[NAME_TEXT];
    const struct objective *o = &b->options.objective;
    if (!(b->forward = journal_open(folder, JOURNAL_SHARE)) ||
        forward_manifest_read(b->forward, &b->ages))
        return -1;
    if (!b->ages.n || (!b->ages.complete && !o->horizon))
        return fail("%s: not all ages are enumerated (age-enumerate goes on)", folder);
    if (b->ages.n < 3) return fail("%s: too few ages are enumerated", folder);
    if (b->ages.complete && o->horizon)
        return fail("%s: all ages are enumerated, there is no horizon", folder);
    const char *path = journal_path(b->forward, objective_name(o, name));
    if (!(b->journal = journal_open(path, JOURNAL_WRITE)) ||
        backward_manifest_read(b->journal, &b->manifest))
        return -1;
    if (journal_lines(b->journal)) return same_objective(b, o);
    b->manifest.objective = *o;
    b->manifest.last = FIRST_AGE + 2 * (b->ages.n - 1);
    return backward_manifest_begin(b->journal, &b->manifest) || journal_commit(b->journal) ? -1 : 0;
}

struct backward *backward_open(const char *folder, const struct backward_options *options) {
    struct backward *b = calloc(1, sizeof *b);
    if (!b) return fail("out of memory"), NULL;
    b->options = *options;
    b->values = table_values_best();
    if (!(b->worker = calloc(options->threads, sizeof *b->worker))) {
        fail("out of memory");
        return backward_close(b), NULL;
    }
    if (open_journals(b, folder) || rules_init(&b->rules, &b->ages.shape)) return backward_close(b), NULL;
    for (size_t i = 0; i < b->ages.n; i++) b->all += b->ages.age[i].afterstates;
    for (size_t i = 0; i < b->manifest.n; i++)
        b->done += forward_manifest_age(&b->ages, b->manifest.value[i].age)->afterstates;
    for (int i = 0; i < 2 && !b->manifest.complete; i++) {
        uint64_t age = next_age(b) + 2 + 2 * (uint64_t)i;
        if (age > b->manifest.last) break;
        b->held[i] = (struct held){.age = age, .there = 1,
                                   .n = forward_manifest_age(&b->ages, age)->afterstates};
    }
    return b;
}

void backward_close(struct backward *b) {
    if (!b) return;
    held_free(&b->held[0]);
    held_free(&b->held[1]);
    table_free(&b->spare);
    free(b->worker);
    forward_manifest_free(&b->ages);
    backward_manifest_free(&b->manifest);
    journal_close(b->journal);
    journal_close(b->forward);
    free(b);
}

const struct backward_manifest *backward_manifest(const struct backward *b) { return &b->manifest; }
