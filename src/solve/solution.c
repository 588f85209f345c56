// SPDX-License-Identifier: MIT
#include "solve/solution.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "game/rng.h"
#include "solve/ids.h"
#include "util/fail.h"
#include "util/par.h"

struct opened {
    struct solution_age age;
    struct id_codec codec;
};

struct solution {
    struct journal *forward, *backward; // backward is NULL without values
    struct forward_manifest ages;
    struct backward_manifest values;
    struct rules rules;
    pthread_mutex_t lock;               // of those who open an age
    _Atomic(struct opened *) *opened;   // one an age
    char name[NAME_TEXT];
};

int solution_is(const char *path) {
    char manifest[PATH_MAX];
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
           snprintf(manifest, sizeof manifest, "%s/manifest", path) < PATH_MAX &&
           stat(manifest, &st) == 0;
}

int solution_is_values(const char *path) {
    char above[PATH_MAX];
    return snprintf(above, sizeof above, "%s/..", path) < PATH_MAX && solution_is(path) &&
           solution_is(above);
}

struct solution *solution_open(const char *folder, const char *values) {
    struct solution *s = calloc(1, sizeof *s);
    char path[PATH_MAX];
    struct stat st;
    if (!s) return fail("out of memory"), NULL;
    pthread_mutex_init(&s->lock, NULL);
    snprintf(s->name, sizeof s->name, "%s", values ? values : "score");
    snprintf(path, sizeof path, "%s/%s", folder, s->name);
    int status = (s->forward = journal_open(folder, JOURNAL_READ)) &&
                         forward_manifest_read(s->forward, &s->ages) == 0
                     ? 0
                     : -1;
    if (status == 0 && !s->ages.shape.cells) status = fail("%s: no solution yet", folder);
    if (status == 0) status = rules_init(&s->rules, &s->ages.shape);
    if (status == 0 && (stat(path, &st) == 0 || values))
        status = (s->backward = journal_open(path, JOURNAL_READ)) &&
                         backward_manifest_read(s->backward, &s->values) == 0
                     ? 0
                     : -1;
    s->opened = calloc(s->ages.n + 1, sizeof *s->opened);
    if (status == 0 && !s->opened) status = fail("out of memory");
    if (status == 0) return s;
    solution_close(s);
    return NULL;
}

static void age_close(struct opened *o) {
    if (!o) return;
    set_close(o->age.set);
    values_close(o->age.values);
    free(o);
}

void solution_close(struct solution *s) {
    if (!s) return;
    for (size_t i = 0; s->opened && i < s->ages.n; i++) age_close(atomic_load(&s->opened[i]));
    free(s->opened);
    forward_manifest_free(&s->ages);
    backward_manifest_free(&s->values);
    journal_close(s->backward);
    journal_close(s->forward);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

const struct rules *solution_rules(const struct solution *s) { return &s->rules; }
const struct forward_manifest *solution_ages(const struct solution *s) { return &s->ages; }
const struct backward_manifest *solution_values(const struct solution *s) { return &s->values; }
double solution_step(const struct solution *s) {
    return ldexp(1, -(int)s->values.objective.precision);
}

static int whole_file(const struct journal *j, const char *name, uint64_t bytes) {
    const char *path = journal_path(j, name);
    struct stat st;
    if (stat(path, &st)) return fail_errno(path);
    return (uint64_t)st.st_size == bytes ? 0 : fail("%s: not the file that the manifest names", path);
}

int solution_ready(const struct solution *s) {
    const char *manifest = journal_path(s->forward, "manifest");
    const struct backward_manifest *v = &s->values;
    char name[NAME_TEXT];
    int status = 0;
    if (!s->ages.complete)
        return fail("%s: age %zu is not enumerated; age-enumerate goes on", manifest,
                    FIRST_AGE + 2 * s->ages.n);
    if (!v->complete)
        return fail("%s: age %zu has no values in %s; age-backup goes on", manifest,
                    v->n ? v->last - 2 * v->n : FIRST_AGE + 2 * (s->ages.n - 1), s->name);
    if (v->objective.horizon)
        return fail("%s: the values in %s take age %" PRIu64 " for the end of the game", manifest, s->name,
                    v->last);
    for (size_t i = 0; i < s->ages.n && status == 0; i++)
        status = whole_file(s->forward, afterstates_name(s->ages.age[i].age, name), s->ages.age[i].bytes);
    for (size_t i = 0; i < v->n && status == 0; i++)
        status = whole_file(s->backward, values_name(v->value[i].age, name), v->value[i].bytes);
    return status;
}

// Opens both files of an age and compares them with their lines.
static struct opened *age_open(struct solution *s, const struct age_line *line) {
    char name[NAME_TEXT], path[PATH_MAX];
    const struct value_line *value = backward_manifest_age(&s->values, line->age);
    struct opened *o = calloc(1, sizeof *o);
    if (!o) return fail("out of memory"), NULL;
    o->age.codec = &o->codec;
    snprintf(path, sizeof path, "%s", journal_path(s->forward, afterstates_name(line->age, name)));
    int status = id_codec_init(&o->codec, line->age) == 0 && (o->age.set = set_open(path)) ? 0 : -1;
    if (status == 0 && (set_count(o->age.set) != line->afterstates || set_bytes(o->age.set) != line->bytes))
        status = fail("%s: not the file that the manifest names", path);
    if (status == 0 && value) {
        snprintf(path, sizeof path, "%s", journal_path(s->backward, values_name(line->age, name)));
        o->age.values = values_open(path);
        if (!o->age.values)
            status = -1;
        else if (values_count(o->age.values) != line->afterstates ||
                 values_bytes(o->age.values) != value->bytes ||
                 values_precision(o->age.values) != s->values.objective.precision)
            status = fail("%s: not the file that the manifest names", path);
    }
    if (status == 0) return o;
    age_close(o);
    return NULL;
}

const struct solution_age *solution_age(struct solution *s, uint64_t age, int *why) {
    const struct age_line *line = forward_manifest_age(&s->ages, age);
    *why = SOLUTION_UNSOLVED;
    if (!line) {
        if (s->ages.complete || age % 2 || age < FIRST_AGE) *why = SOLUTION_UNREACHED;
        return fail("age %" PRIu64 " is not %s", age, *why == SOLUTION_UNREACHED ? "reached" : "enumerated"), NULL;
    }
    size_t i = (age - FIRST_AGE) / 2;
    struct opened *o = atomic_load_explicit(&s->opened[i], memory_order_acquire);
    if (!o) {
        pthread_mutex_lock(&s->lock);
        o = atomic_load(&s->opened[i]);
        if (!o && (o = age_open(s, line))) atomic_store_explicit(&s->opened[i], o, memory_order_release);
        pthread_mutex_unlock(&s->lock);
    }
    if (!o) *why = SOLUTION_FAILED;
    return o ? &o->age : NULL;
}

int solution_value(struct solution *s, struct board after, double *value) {
    uint64_t age = board_age(&s->rules.shape, after);
    int why;
    const struct solution_age *a = solution_age(s, age, &why);
    if (!a) return why;
    if (after.hi) return SOLUTION_UNREACHED;
    uint64_t board = rules_normal(&s->rules, after.lo), id = id_pack(a->codec, board);
    int64_t place = id_unpack(a->codec, id) == board ? set_rank(a->set, id) : -1;
    if (place < 0) return SOLUTION_UNREACHED;
    if (!a->values) return fail("age %" PRIu64 " has no values in %s", age, s->name), SOLUTION_UNSOLVED;
    *value = values_at(a->values, (uint64_t)place);
    return SOLUTION_KNOWN;
}

int solution_moves(struct solution *s, struct board state, struct solution_moves *to) {
    *to = (struct solution_moves){.legal = board_legal(&s->rules.shape, state)};
    for (int m = 0; m < 4; m++) {
        struct board after;
        if (!(to->legal >> m & 1)) continue;
        uint32_t reward = board_slide(&s->rules.shape, state, (enum move)m, &after);
        int known = solution_value(s, after, &to->value[m]);
        if (known != SOLUTION_KNOWN) return known;
        if (!s->values.objective.reach) to->value[m] += reward;
        if (to->value[m] > to->state) to->state = to->value[m];
    }
    // Equal values may be rounded to neighbours.
    for (int m = 0; m < 4; m++)
        if (to->legal >> m & 1 && to->state - to->value[m] < 1.5 * solution_step(s))
            to->best |= 1u << m;
    return SOLUTION_KNOWN;
}

// All files of all manifests of a directory.
struct checking {
    const struct journal *journal;
    const struct forward_manifest *ages;
    const struct backward_manifest *values;
};

static int check_afterstates(void *context, unsigned worker, uint64_t i) {
    const struct checking *c = context;
    const struct age_line *a = &c->ages->age[i];
    char name[NAME_TEXT];
    (void)worker;
    return journal_check(c->journal, afterstates_name(a->age, name), a->bytes, a->sha256);
}

static int check_value(void *context, unsigned worker, uint64_t i) {
    const struct checking *c = context;
    const struct value_line *v = &c->values->value[i];
    char name[NAME_TEXT];
    (void)worker;
    return journal_check(c->journal, values_name(v->age, name), v->bytes, v->sha256);
}

static int check_values(const char *path, unsigned threads, uint64_t files[2], uint64_t *bytes) {
    struct journal *j = journal_open(path, JOURNAL_READ);
    struct backward_manifest m = {0};
    struct checking c = {.journal = j, .values = &m};
    int status = j ? backward_manifest_read(j, &m) : -1;
    if (status == 0) status = par_for(threads, m.n, check_value, &c);
    for (size_t i = 0; i < m.n; i++) *bytes += m.value[i].bytes;
    files[1] += m.n;
    backward_manifest_free(&m);
    journal_close(j);
    return status;
}

int solution_check(const char *folder, unsigned threads, uint64_t files[2], uint64_t *bytes) {
    struct journal *j = journal_open(folder, JOURNAL_READ);
    struct forward_manifest m = {0};
    struct checking c = {.journal = j, .ages = &m};
    int status = j ? forward_manifest_read(j, &m) : -1;
    if (status == 0) status = par_for(threads, m.n, check_afterstates, &c);
    for (size_t i = 0; i < m.n; i++) *bytes += m.age[i].bytes;
    files[0] += m.n;
    DIR *d = status == 0 ? opendir(folder) : NULL;
    for (struct dirent *e; d && status == 0 && (e = readdir(d));) {
        char path[PATH_MAX];
        int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name != '.' && n < PATH_MAX && solution_is(path))
            status = check_values(path, threads, files, bytes);
    }
    if (d) closedir(d);
    forward_manifest_free(&m);
    journal_close(j);
    return status;
}

int solution_backup(struct solution *s, struct board after, double *value) {
    const struct shape *shape = &s->rules.shape;
    const struct objective *o = &s->values.objective;
    double worth[2] = {0, 0}, p4 = s->ages.p4;
    unsigned n = 0;
    uint64_t age = board_age(shape, after);
    if (o->reach && board_max(shape, after) >= o->reach) return *value = 1, SOLUTION_KNOWN;
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        if (board_cell(after, cell)) continue;
        for (unsigned e = 0; e < 2; e++) {
            struct solution_moves m = {0};
            double *w = &worth[e];
            if (e ? p4 == 0 : p4 == 1) continue;
            if (!o->horizon || age + 2 + 2 * e <= s->values.last) {
                int known = solution_moves(s, board_put(after, cell, e + 1), &m);
                if (known != SOLUTION_KNOWN) return known;
            }
            if (o->spawn == SPAWN_EXPECTED) *w += m.state;
            else if (n == 0 || (o->spawn == SPAWN_BEST ? m.state > *w : m.state < *w)) *w = m.state;
        }
        n++;
    }
    *value = (1 - p4) * worth[0] + p4 * worth[1];
    if (o->spawn == SPAWN_EXPECTED) *value /= n;
    return SOLUTION_KNOWN;
}

// Draws from the afterstates of all ages that have values, as one long row.
struct sampling {
    struct solution *s;
    uint64_t seed, all;
    pthread_mutex_t lock;
    double worst;
};

// The age of the i-th afterstate, counted from the oldest; *i is then its place.
static uint64_t find_age(const struct solution *s, uint64_t *i) {
    for (size_t k = 0; k < s->values.n; k++) {
        const struct age_line *line = forward_manifest_age(&s->ages, s->values.value[k].age);
        if (*i < line->afterstates) return line->age;
        *i -= line->afterstates;
    }
    return 0;
}

static int sample_one(void *context, unsigned worker, uint64_t i) {
    struct sampling *g = context;
    struct solution *s = g->s;
    struct rng rng = rng_stream(g->seed, i);
    uint64_t x = rng_next(&rng), place = rng_split(&x, g->all), ids[SET_BLOCK];
    uint64_t age = find_age(s, &place);
    double demanded, stored;
    char text[BOARD_TEXT];
    int why;
    (void)worker;
    const struct solution_age *a = solution_age(s, age, &why);
    if (!a) return -1;
    set_block(a->set, place / SET_BLOCK, ids);
    struct board b = {id_unpack(a->codec, ids[place % SET_BLOCK]), 0};
    stored = values_at(a->values, place);
    // At the lower end of values that are not complete, all successors are there.
    int known = solution_backup(s, b, &demanded);
    if (known == SOLUTION_UNREACHED)
        return fail("age %" PRIu64 ": %s: a successor is not among the afterstates", age,
                    board_text(&s->rules.shape, b, text));
    if (known != SOLUTION_KNOWN) return -1;
    double off = fabs(demanded - stored);
    if (off > 1.001 * solution_step(s))
        return fail("age %" PRIu64 ": %s: value is %.9g, its successors say %.9g", age,
                    board_text(&s->rules.shape, b, text), stored, demanded);
    pthread_mutex_lock(&g->lock);
    if (off > g->worst) g->worst = off;
    pthread_mutex_unlock(&g->lock);
    return 0;
}

int solution_sample(struct solution *s, uint64_t n, uint64_t seed, unsigned threads, double *worst) {
    struct sampling g = {.s = s, .seed = seed};
    for (size_t k = 0; k < s->values.n; k++) {
        const struct age_line *line = forward_manifest_age(&s->ages, s->values.value[k].age);
        if (!line) return fail("age %" PRIu64 " has values but no afterstates", s->values.value[k].age);
        g.all += line->afterstates;
    }
    *worst = 0;
    if (!g.all) return 0;
    pthread_mutex_init(&g.lock, NULL);
    int status = par_for(threads, n, sample_one, &g);
    pthread_mutex_destroy(&g.lock);
    *worst = g.worst;
    return status;
}
