// SPDX-License-Identifier: MIT
#include "solve/forward.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solve/states.h"
#include "util/fail.h"
#include "util/par.h"

enum {
    MOST_RANGES = 4096,
    RANGE_ITEMS = 16384,     // sorted together
    SLIDES = 256,            // states slid at a time
    SPAWN_BYTES = 15,        // peak memory for each spawn of an age, measured
    FIXED_BYTES = 24 << 20,  // memory whatever the age
};

struct counts {
    uint64_t states, terminal, empty;
};

struct forward {
    struct forward_options options;
    struct journal *journal;
    struct forward_manifest manifest;
    struct rules rules;
    struct chunk_pool *pool;
    struct state_worker *worker; // one a thread, as are counts
    struct counts *count;
    struct source source[2];    // of the next age: those 2 and 4 younger
    struct age_line unwritten;  // of source[0] while its file is not made
    int has_unwritten;
    uint64_t states;            // of all ages
};

static int source_open(struct forward *f, struct source *s, uint64_t age) {
    char name[NAME_TEXT];
    const struct age_line *line = forward_manifest_age(&f->manifest, age);
    *s = (struct source){0};
    if (!line) return 0;
    const char *path = journal_path(f->journal, afterstates_name(age, name));
    s->n = line->afterstates;
    if (id_codec_init(&s->codec, age) || !(s->set = set_open(path))) return -1;
    if (set_count(s->set) != s->n || set_bytes(s->set) != line->bytes)
        return fail("%s: not the file that the manifest names", path);
    return 0;
}

static uint64_t next_age(const struct forward *f) {
    return FIRST_AGE + 2 * f->manifest.n + (f->has_unwritten ? 2 : 0);
}

static int sources_open(struct forward *f) {
    uint64_t age = next_age(f);
    return age > FIRST_AGE && (source_open(f, &f->source[0], age - 2) ||
                               (age > FIRST_AGE + 2 && source_open(f, &f->source[1], age - 4)))
               ? -1
               : 0;
}

static int check_same(const struct forward_manifest *m, const char *folder,
                      const struct shape *shape, double p4) {
    const struct shape *s = &m->shape;
    if (shape->cells && (shape->rows != s->rows || shape->cols != s->cols))
        return fail("%s: is of a %ux%u board, not %ux%u", folder, s->rows, s->cols, shape->rows,
                    shape->cols);
    if (p4 >= 0 && p4 != m->p4) return fail("%s: has p4 %g, not %g", folder, m->p4, p4);
    return 0;
}

static int open_manifest(struct forward *f, const char *folder, const struct shape *shape, double p4,
                         int share) {
    struct forward_manifest *m = &f->manifest;
    struct rules test;
    char path[PATH_MAX];
    // Before anything is made of what cannot be solved.
    snprintf(path, sizeof path, "%s/manifest", folder);
    if (shape->cells && rules_init(&test, shape)) return -1;
    if (!shape->cells && !share && access(path, F_OK) != 0)
        return fail("%s: no solution yet, and no board was given", folder);
    if (!(f->journal = journal_open(folder, share ? JOURNAL_SHARE : JOURNAL_WRITE)) ||
        forward_manifest_read(f->journal, m))
        return -1;
    if (m->shape.cells) return check_same(m, folder, shape, p4);
    if (share) return fail("%s: not begun yet", folder);
    if (!shape->cells) return fail("%s: no solution yet, and no board was given", folder);
    m->shape = *shape;
    m->p4 = p4 < 0 ? 0.1 : p4;
    return forward_manifest_begin(f->journal, shape, m->p4) || journal_commit(f->journal) ? -1 : 0;
}

struct forward *forward_open(const char *folder, const struct shape *shape, double p4,
                             const struct forward_options *options, int share) {
    struct forward *f = calloc(1, sizeof *f);
    if (!f) return fail("out of memory"), NULL;
    f->options = *options;
    if (!(f->worker = calloc(options->threads, sizeof *f->worker)) ||
        !(f->count = calloc(options->threads, sizeof *f->count)) ||
        !(f->pool = chunk_pool_open(options->threads))) {
        fail("out of memory");
        return forward_close(f), NULL;
    }
    if (open_manifest(f, folder, shape, p4, share) || rules_init(&f->rules, &f->manifest.shape) ||
        sources_open(f))
        return forward_close(f), NULL;
    for (size_t i = 0; i < f->manifest.n; i++) f->states += f->manifest.age[i].states;
    return f;
}

void forward_close(struct forward *f) {
    if (!f) return;
    source_close(&f->source[0]);
    source_close(&f->source[1]);
    for (unsigned i = 0; f->worker && i < f->options.threads; i++) heap_free(&f->worker[i].heap);
    free(f->worker);
    free(f->count);
    chunk_pool_close(f->pool);
    forward_manifest_free(&f->manifest);
    journal_close(f->journal);
    free(f);
}

const struct forward_manifest *forward_manifest(const struct forward *f) { return &f->manifest; }

// Writes the file of the age that source[0] holds, and keeps its line.
static int write_age(void *context) {
    struct forward *f = context;
    struct age_line *line = &f->unwritten;
    struct journal_result result;
    char name[NAME_TEXT];
    struct journal_file *file = journal_create(f->journal, afterstates_name(line->age, name));
    if (!file) return -1;
    struct set_writer *w = set_create(SET_SMALLEST, journal_write, file);
    int bad = !w || set_add(w, f->source[0].ids, f->source[0].n);
    if (bad) {
        set_abandon(w);
        journal_drop(file);
        return -1;
    }
    if (set_finish(w, NULL)) return journal_drop(file), -1;
    if (journal_done(file, &result)) return -1;
    line->bytes = result.bytes;
    strcpy(line->sha256, result.sha256);
    return 0;
}

static int keep_written(struct forward *f) {
    f->has_unwritten = 0;
    if (forward_manifest_add(f->journal, &f->manifest, &f->unwritten)) return -1;
    return journal_due(f->journal) ? journal_commit_later(f->journal) : 0;
}

// An age, or a part of one, on its way through the stages.
struct making {
    struct forward *f;
    struct states states;
    unsigned n_piles;           // of states, and as many of afterstates
    struct piles afterstates, ranges;
    uint64_t **distinct, *n_distinct; // afterstates of each pile
    uint64_t *bound;            // first number of each range but the first
    unsigned n_ranges;
    uint64_t *at;               // where each range's IDs go
    struct id_codec codec;
    uint64_t *ids, n;           // the result
};

static int slide_pile(void *context, unsigned worker, uint64_t i) {
    struct making *m = context;
    struct forward *f = m->f;
    struct state_worker *w = &f->worker[worker];
    struct counts *count = &f->count[worker];
    int64_t n = pile_distinct(&m->states.piles, worker, (unsigned)i, &w->heap);
    if (n < 0) return -1;
    count->states += (uint64_t)n;
    for (int64_t k = 0; k < n; k += SLIDES) {
        size_t take = n - k < SLIDES ? (size_t)(n - k) : SLIDES;
        size_t made = f->rules.kernel->slide(&f->rules, w->heap.list + k, take, w->made,
                                              &count->terminal);
        for (size_t q = 0; q < made; q++)
            if (pile_put(&m->afterstates, worker, pile_of(w->made[q], m->n_piles), w->made[q]))
                return -1;
    }
    return 0;
}

static int unify_pile(void *context, unsigned worker, uint64_t i) {
    struct making *m = context;
    struct heap *h = &m->f->worker[worker].heap;
    int64_t n = pile_distinct(&m->afterstates, worker, (unsigned)i, h);
    if (n < 0 || !(m->distinct[i] = fail_alloc((size_t)n, sizeof **m->distinct))) return -1;
    if (n) memcpy(m->distinct[i], h->list, (size_t)n * sizeof **m->distinct);
    m->n_distinct[i] = (uint64_t)n;
    return 0;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Ranges of about equal size, from a sample: piles are by hash, so the first
// numbers of each are as good as random ones.
static int find_ranges(struct making *m) {
    size_t n = 0;
    for (unsigned i = 0; i < m->n_piles; i++) m->n += m->n_distinct[i];
    m->n_ranges = (unsigned)(m->n / RANGE_ITEMS) + 1;
    if (m->n_ranges > MOST_RANGES) m->n_ranges = MOST_RANGES;
    if (m->n > 2048 && m->n_ranges < 4 * m->f->options.threads) m->n_ranges = 4 * m->f->options.threads;
    size_t each = (16 * m->n_ranges + m->n_piles - 1) / m->n_piles;
    uint64_t *sample = fail_alloc(each * m->n_piles, sizeof *sample);
    m->bound = fail_alloc(m->n_ranges, sizeof *m->bound);
    m->at = fail_alloc(m->n_ranges, sizeof *m->at);
    if (!sample || !m->bound || !m->at) return free(sample), -1;
    for (unsigned i = 0; i < m->n_piles; i++)
        for (size_t k = 0; k < each && k < m->n_distinct[i]; k++) sample[n++] = m->distinct[i][k];
    qsort(sample, n, sizeof *sample, by_number);
    for (unsigned r = 0; r + 1 < m->n_ranges; r++)
        m->bound[r] = n ? sample[(r + 1) * n / m->n_ranges] : 0;
    free(sample);
    return 0;
}

static int range_pile(void *context, unsigned worker, uint64_t i) {
    struct making *m = context;
    for (uint64_t k = 0; k < m->n_distinct[i]; k++) {
        uint64_t x = m->distinct[i][k];
        const uint64_t *base = m->bound;
        unsigned n = m->n_ranges - 1;
        while (n) { // how many bounds are not above x
            unsigned half = n - n / 2;
            base += base[half - 1] <= x ? half : 0;
            n /= 2;
        }
        if (pile_put(&m->ranges, worker, (unsigned)(base - m->bound), x)) return -1;
    }
    free(m->distinct[i]);
    m->distinct[i] = NULL;
    return 0;
}

static int sort_range(void *context, unsigned worker, uint64_t i) {
    struct making *m = context;
    struct state_worker *w = &m->f->worker[worker];
    int64_t n = pile_take(&m->ranges, worker, (unsigned)i, &w->heap);
    if (n < 0) return -1;
    heap_sort(&w->heap, (size_t)n);
    uint64_t *to = m->ids + m->at[i];
    m->f->count[worker].empty += m->f->rules.kernel->empty(&m->f->rules, w->heap.list, (size_t)n, NULL);
    for (int64_t k = 0; k < n; k++) to[k] = id_pack(&m->codec, w->heap.list[k]);
    return 0;
}

static uint64_t spawn_count(const struct forward *f) {
    uint64_t n = 0, age = next_age(f);
    for (int i = 0; i < 2; i++) {
        const struct age_line *line = i == 0 && f->has_unwritten
                                          ? &f->unwritten
                                          : forward_manifest_age(&f->manifest, age - 2 - 2 * (uint64_t)i);
        if (line && spawns_tile(f->manifest.p4, i)) n += line->empty;
    }
    return n;
}

// Throws the states and makes room for what follows.
static int make_begin(struct making *m, struct forward *f, unsigned part, unsigned parts) {
    unsigned threads = f->options.threads;
    *m = (struct making){.f = f};
    m->states = (struct states){
        .rules = &f->rules, .age = next_age(f), .p4 = f->manifest.p4,
        .source = {&f->source[0], &f->source[1]}, .threads = threads, .part = part,
        .parts = parts, .spawns = spawn_count(f), .pool = f->pool, .worker = f->worker,
        .meanwhile = f->has_unwritten ? write_age : NULL, .context = f};
    memset(f->count, 0, threads * sizeof *f->count);
    if (states_throw(&m->states) || id_codec_init(&m->codec, m->states.age)) return -1;
    m->n_piles = m->states.piles.n;
    m->distinct = calloc(m->n_piles, sizeof *m->distinct);
    m->n_distinct = calloc(m->n_piles, sizeof *m->n_distinct);
    if (!m->distinct || !m->n_distinct) return fail("out of memory");
    return piles_init(&m->afterstates, f->pool, threads, m->n_piles);
}

static void make_end(struct making *m) {
    if (m->states.piles.pile) piles_free(&m->states.piles);
    if (m->afterstates.pile) piles_free(&m->afterstates);
    if (m->ranges.pile) piles_free(&m->ranges);
    for (unsigned i = 0; m->distinct && i < m->n_piles; i++) free(m->distinct[i]);
    free(m->distinct);
    free(m->n_distinct);
    free(m->bound);
    free(m->at);
}

static int sort_all(struct making *m) {
    struct forward *f = m->f;
    unsigned threads = f->options.threads;
    if (find_ranges(m) || piles_init(&m->ranges, f->pool, threads, m->n_ranges) ||
        par_for(threads, m->n_piles, range_pile, m))
        return -1;
    uint64_t at = 0;
    for (unsigned r = 0; r < m->n_ranges; r++) {
        m->at[r] = at;
        at += pile_count(&m->ranges, r);
    }
    m->ids = fail_alloc(m->n, sizeof *m->ids);
    return m->ids ? par_for(threads, m->n_ranges, sort_range, m) : -1;
}

// All stages: the sorted IDs of the next age (or a part of it) in m->ids, the
// caller's, and the counts in line.
static int make(struct making *m, struct forward *f, unsigned part, unsigned parts,
                struct age_line *line) {
    unsigned threads = f->options.threads;
    int status = make_begin(m, f, part, parts);
    if (status == 0 && f->has_unwritten) status = keep_written(f);
    if (status == 0) status = par_for(threads, m->n_piles, slide_pile, m);
    if (status == 0) status = par_for(threads, m->n_piles, unify_pile, m);
    if (status == 0) status = sort_all(m);
    make_end(m);
    if (status) return free(m->ids), -1;
    *line = (struct age_line){.age = m->states.age, .afterstates = m->n};
    for (unsigned i = 0; i < threads; i++) {
        line->states += f->count[i].states;
        line->terminal += f->count[i].terminal;
        line->empty += f->count[i].empty;
    }
    return 0;
}

static const char *run_name(uint64_t age, unsigned part, unsigned parts, char to[NAME_TEXT]) {
    return snprintf(to, NAME_TEXT, "runs/%05" PRIu64 ".%u-of-%u.ef", age, part + 1, parts), to;
}

// After an age is complete: it becomes the younger source of the next.
static void shift_sources(struct forward *f) {
    source_close(&f->source[1]);
    f->source[1] = f->source[0];
    f->source[0] = (struct source){0};
}

static void told(struct forward *f, const struct age_line *line) {
    f->states += line->states;
    if (f->options.tell) f->options.tell(f->options.context, line, f->states);
}

static int is_last(const struct forward *f) {
    return next_age(f) > FIRST_AGE + 4 && !f->source[0].n && !f->source[1].n;
}

int forward_part(struct forward *f, unsigned part, unsigned parts) {
    struct making m;
    struct age_line line;
    struct journal_result result;
    char name[NAME_TEXT];
    run_name(next_age(f), part, parts, name);
    // A run is put in place whole, so one that is there can be used.
    struct set *there = set_open(journal_path(f->journal, name));
    if (there) return set_close(there), 0;
    if (make(&m, f, part, parts, &line)) return -1;
    uint64_t notes[SET_NOTES] = {line.states, line.terminal};
    struct journal_file *file = journal_create(f->journal, name);
    struct set_writer *w = file ? set_create(SET_GAPS, journal_write, file) : NULL;
    int status = w ? set_add(w, m.ids, m.n) : -1;
    free(m.ids);
    if (status == 0)
        status = set_finish(w, notes);
    else
        set_abandon(w);
    if (status) return journal_drop(file), -1;
    return journal_done(file, &result) || journal_commit(f->journal) ? -1 : 0;
}

// Runs being merged by ranges of IDs, each of which fits a slot.
struct merging {
    struct forward *f;
    struct set **run;
    unsigned parts;
    uint64_t *bound;        // the first ID of each range; the first is 0
    uint64_t ranges;
    struct id_codec codec;
    struct set_writer *writer;
    struct age_line *line;
};

struct merge_slot {
    struct heap heap;
    size_t n;
    uint64_t empty;
};

// The run's IDs from its from-th to its to-th into a list.
static void read_run(const struct set *run, uint64_t from, uint64_t to, uint64_t *list) {
    uint64_t ids[SET_BLOCK];
    for (uint64_t block = from / SET_BLOCK; block * SET_BLOCK < to; block++) {
        uint64_t first = block * SET_BLOCK, n = set_block(run, block, ids);
        uint64_t low = from > first ? from - first : 0, high = to - first < n ? to - first : n;
        memcpy(list, ids + low, (high - low) * sizeof *ids);
        list += high - low;
    }
}

static int merge_range(void *context, uint64_t i, void *slot) {
    struct merging *g = context;
    struct merge_slot *s = slot;
    size_t n = 0, most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned k = 0; k < g->parts; k++) {
            uint64_t from = set_below(g->run[k], g->bound[i]);
            uint64_t to = i + 1 < g->ranges ? set_below(g->run[k], g->bound[i + 1]) : set_count(g->run[k]);
            if (pass) read_run(g->run[k], from, to, s->heap.list + n), n += to - from;
            else most += to - from;
            if (pass == 0 && k + 1 == g->parts && most > s->heap.room) {
                heap_free(&s->heap);
                s->heap.list = fail_alloc(most, sizeof *s->heap.list);
                s->heap.other = fail_alloc(most, sizeof *s->heap.other);
                if (!s->heap.list || !s->heap.other) return -1;
                s->heap.room = most;
            }
        }
    heap_sort(&s->heap, n);
    s->n = s->empty = 0;
    for (size_t k = 0; k < n; k++) {
        if (k && s->heap.list[k] == s->heap.list[s->n - 1]) continue;
        uint64_t board = id_unpack(&g->codec, s->heap.list[s->n++] = s->heap.list[k]);
        s->empty += g->f->rules.kernel->empty(&g->f->rules, &board, 1, NULL);
    }
    return 0;
}

static int take_range(void *context, uint64_t i, void *slot) {
    struct merging *g = context;
    struct merge_slot *s = slot;
    (void)i;
    g->line->afterstates += s->n;
    g->line->empty += s->empty;
    return set_add(g->writer, s->heap.list, s->n);
}

// Bounds at even steps through the largest run: runs are by hash of states, so
// all are alike.
static int find_bounds(struct merging *g, uint64_t total, uint64_t room) {
    unsigned largest = 0;
    for (unsigned k = 1; k < g->parts; k++)
        if (set_count(g->run[k]) > set_count(g->run[largest])) largest = k;
    const struct set *run = g->run[largest];
    uint64_t blocks = (set_count(run) + SET_BLOCK - 1) / SET_BLOCK, ids[SET_BLOCK];
    g->ranges = total / room + 1;
    if (g->ranges > blocks) g->ranges = blocks ? blocks : 1;
    if (!(g->bound = fail_alloc(g->ranges, sizeof *g->bound))) return -1;
    for (uint64_t i = 0; i < g->ranges; i++) {
        g->bound[i] = 0;
        if (i && set_block(run, i * blocks / g->ranges, ids)) g->bound[i] = ids[0];
    }
    return 0;
}

static int merge_runs(struct merging *g, uint64_t total) {
    unsigned threads = g->f->options.threads, n_slots = 2 * threads;
    uint64_t room = g->f->options.memory / 2 / (16 * n_slots);
    struct merge_slot *slots = calloc(n_slots, sizeof *slots);
    void **slot = calloc(n_slots, sizeof *slot);
    int status = slots && slot ? 0 : fail("out of memory");
    if (status == 0) status = find_bounds(g, total, room < 1 << 20 ? room + 1 : 1 << 20);
    for (unsigned i = 0; status == 0 && i < n_slots; i++) slot[i] = &slots[i];
    struct par_line line = {threads, g->ranges, slot, g, merge_range, take_range};
    if (status == 0) status = par_in_order(&line);
    for (unsigned i = 0; slots && i < n_slots; i++) heap_free(&slots[i].heap);
    free(slots);
    free(slot);
    free(g->bound);
    return status;
}

static int open_runs(struct merging *g, uint64_t *total) {
    char name[NAME_TEXT];
    *total = 0;
    if (!(g->run = calloc(g->parts, sizeof *g->run))) return fail("out of memory");
    for (unsigned k = 0; k < g->parts; k++) {
        run_name(g->line->age, k, g->parts, name);
        if (!(g->run[k] = set_open(journal_path(g->f->journal, name)))) return -1;
        g->line->states += set_notes(g->run[k])[0];
        g->line->terminal += set_notes(g->run[k])[1];
        *total += set_count(g->run[k]);
    }
    return 0;
}

int forward_merge(struct forward *f, unsigned parts) {
    struct age_line line = {.age = next_age(f)};
    struct merging g = {.f = f, .parts = parts, .line = &line};
    struct journal_result result;
    uint64_t total = 0;
    char name[NAME_TEXT];
    int status = id_codec_init(&g.codec, line.age) || open_runs(&g, &total) ? -1 : 0;
    struct journal_file *file = status ? NULL : journal_create(f->journal, afterstates_name(line.age, name));
    if (file) g.writer = set_create(SET_SMALLEST, journal_write, file);
    status = g.writer ? merge_runs(&g, total) : -1;
    if (status == 0)
        status = set_finish(g.writer, NULL);
    else
        set_abandon(g.writer);
    for (unsigned k = 0; g.run && k < parts; k++) set_close(g.run[k]);
    free(g.run);
    if (status || journal_done(file, &result)) return status ? journal_drop(file) : (void)0, -1;
    line.bytes = result.bytes;
    strcpy(line.sha256, result.sha256);
    for (unsigned k = 0; k < parts; k++)
        if (journal_remove(f->journal, run_name(line.age, k, parts, name))) return -1;
    if (forward_manifest_add(f->journal, &f->manifest, &line) || journal_commit(f->journal)) return -1;
    shift_sources(f);
    if (source_open(f, &f->source[0], line.age)) return -1;
    told(f, &line);
    if (is_last(f) && (forward_manifest_end(f->journal, &f->manifest) || journal_commit(f->journal)))
        return -1;
    return 0;
}

// Everything to disk, and sources read from there: makes room for parts.
static int flush(struct forward *f) {
    if (f->has_unwritten && (write_age(f) || keep_written(f))) return -1;
    if (journal_commit(f->journal)) return -1;
    if (!f->source[0].ids && !f->source[1].ids) return 0;
    source_close(&f->source[0]);
    source_close(&f->source[1]);
    return sources_open(f);
}

// An age that fits the memory.
static int make_age(struct forward *f) {
    struct making m;
    struct age_line line;
    if (make(&m, f, 0, 1, &line)) return -1;
    shift_sources(f);
    f->source[0] = (struct source){.codec = m.codec, .n = m.n, .ids = m.ids};
    f->unwritten = line;
    f->has_unwritten = 1;
    told(f, &line);
    return 0;
}

static int make_age_in_parts(struct forward *f, unsigned parts) {
    if (flush(f)) return -1;
    for (unsigned i = 0; i < parts; i++)
        if (forward_part(f, i, parts)) return -1;
    return forward_merge(f, parts);
}

// In how many parts the next age fits the memory.
static unsigned parts_needed(const struct forward *f) {
    uint64_t held = 0, need = SPAWN_BYTES * spawn_count(f);
    for (int i = 0; i < 2; i++) held += 9 * f->source[i].n;
    uint64_t left = f->options.memory, fixed = FIXED_BYTES;
    if (left >= fixed + held + need) return 1;
    // In parts the sources are mapped, a good byte an ID.
    held /= 6;
    uint64_t room = left > 2 * (fixed + held) ? left - fixed - held : left / 2;
    uint64_t parts = need / (room ? room : 1) + 1;
    return parts > 4096 ? 4096 : (unsigned)parts;
}

int forward_run(struct forward *f) {
    while (!f->manifest.complete && next_age(f) <= f->options.to) {
        if (is_last(f)) {
            if (flush(f) || forward_manifest_end(f->journal, &f->manifest)) return -1;
            break;
        }
        unsigned parts = parts_needed(f);
        if (parts > 1 ? make_age_in_parts(f, parts) : make_age(f)) return -1;
    }
    if (f->has_unwritten && (write_age(f) || keep_written(f))) return -1;
    return journal_commit(f->journal);
}
