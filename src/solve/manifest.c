// SPDX-License-Identifier: MIT
#include "solve/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"
#include "util/number.h"

enum { FIELDS = 8 };
const char *const spawn_choices[] = {"expected", "best", "worst", NULL};

const char *afterstates_name(uint64_t age, char to[NAME_TEXT]) {
    return snprintf(to, NAME_TEXT, "afterstates/%05" PRIu64 ".ef", age), to;
}

const char *values_name(uint64_t age, char to[NAME_TEXT]) {
    return snprintf(to, NAME_TEXT, "%05" PRIu64 ".val", age), to;
}

const char *exact_name(uint64_t age, char to[NAME_TEXT]) {
    return snprintf(to, NAME_TEXT, "%05" PRIu64 ".exact", age), to;
}

const char *objective_name(const struct objective *o, char to[NAME_TEXT]) {
    char what[32] = "score";
    if (o->reach) snprintf(what, sizeof what, "reach-%lu", 1ul << o->reach);
    snprintf(to, NAME_TEXT, "%s%s%s%s", what, o->spawn ? "-" : "",
             o->spawn ? spawn_choices[o->spawn] : "", o->horizon ? "-horizon" : "");
    return to;
}

// A line's fields, cut out of a copy.
struct line {
    char text[512];
    char *field[FIELDS];
    unsigned n;
    const char *folder;
    size_t number;
};

static int wrong(const struct line *l) {
    return fail("%s/manifest: line %zu is not understood", l->folder, l->number);
}

static int split(struct line *l, const struct journal *j, size_t i) {
    l->folder = journal_folder(j);
    l->number = i + 1;
    l->n = 0;
    if (strlen(journal_line(j, i)) >= sizeof l->text) return wrong(l);
    strcpy(l->text, journal_line(j, i));
    for (char *at = l->text; at && l->n < FIELDS; l->n++) {
        l->field[l->n] = at;
        at = strchr(at, '\t');
        if (at) *at++ = '\0';
    }
    return 0;
}

// Field k of a line that begins with this word and has n fields.
static int is(const struct line *l, const char *word, unsigned n) {
    return l->n == n && strcmp(l->field[0], word) == 0;
}

static int number(const struct line *l, unsigned k, uint64_t *to) {
    return number_u64(l->field[k], 0, UINT64_MAX, to) ? wrong(l) : 0;
}

static int digest(const struct line *l, unsigned k, char to[SHA256_TEXT]) {
    if (strlen(l->field[k]) != SHA256_TEXT - 1) return wrong(l);
    strcpy(to, l->field[k]);
    return 0;
}

static void *grown(void *list, size_t n, size_t size) {
    if (n & (n - 1)) return list;
    void *wider = realloc(list, (n ? 2 * n : 1) * size);
    if (!wider) fail("out of memory");
    return wider;
}

// Appends an age; ages must come without a gap.
static int keep_age(struct forward_manifest *m, const struct age_line *a) {
    struct age_line *list = grown(m->age, m->n, sizeof *list);
    if (!list) return -1;
    m->age = list;
    m->age[m->n++] = *a;
    return a->age == FIRST_AGE + 2 * (m->n - 1) ? 0 : fail("age %" PRIu64 " is out of turn", a->age);
}

static int read_forward_line(const struct line *l, struct forward_manifest *m) {
    struct age_line a;
    if (m->complete) return wrong(l);
    if (is(l, "board", 2) && !m->shape.cells) return shape_parse(l->field[1], &m->shape) ? wrong(l) : 0;
    if (is(l, "p4", 2) && !m->n) return number_f64(l->field[1], 0, 1, &m->p4) ? wrong(l) : 0;
    if (is(l, "age", 8) && m->shape.cells) {
        if (number(l, 1, &a.age) || number(l, 2, &a.states) || number(l, 3, &a.afterstates) ||
            number(l, 4, &a.terminal) || number(l, 5, &a.empty) || number(l, 6, &a.bytes) ||
            digest(l, 7, a.sha256))
            return -1;
        return keep_age(m, &a) ? wrong(l) : 0;
    }
    if (!is(l, "end", 1)) return wrong(l);
    m->complete = 1;
    return 0;
}

int forward_manifest_read(const struct journal *j, struct forward_manifest *m) {
    struct line l;
    *m = (struct forward_manifest){0};
    for (size_t i = 0; i < journal_lines(j); i++) {
        int bad = split(&l, j, i);
        if (!bad) bad = i ? read_forward_line(&l, m) : is(&l, "solution", 2) ? 0 : wrong(&l);
        if (!bad && !i && strcmp(l.field[1], "1") != 0)
            bad = fail("%s: solution of unknown version %s", l.folder, l.field[1]);
        if (bad) return forward_manifest_free(m), -1;
    }
    return 0;
}

void forward_manifest_free(struct forward_manifest *m) {
    free(m->age);
    m->age = NULL;
    m->n = 0;
}

int forward_manifest_begin(struct journal *j, const struct shape *shape, double p4) {
    char text[NUMBER_TEXT];
    return journal_add(j, "solution\t1") ||
                   journal_add(j, "board\t%ux%u", shape->rows, shape->cols) ||
                   journal_add(j, "p4\t%s", number_text(p4, text))
               ? -1
               : 0;
}

int forward_manifest_add(struct journal *j, struct forward_manifest *m, const struct age_line *a) {
    if (keep_age(m, a)) return -1;
    return journal_add(j,
                       "age\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                       "\t%" PRIu64 "\t%s",
                       a->age, a->states, a->afterstates, a->terminal, a->empty, a->bytes,
                       a->sha256);
}

int forward_manifest_end(struct journal *j, struct forward_manifest *m) {
    m->complete = 1;
    return journal_add(j, "end");
}

const struct age_line *forward_manifest_age(const struct forward_manifest *m, uint64_t age) {
    if (age < FIRST_AGE || age % 2 || (age - FIRST_AGE) / 2 >= m->n) return NULL;
    return &m->age[(age - FIRST_AGE) / 2];
}

static int keep_value(struct backward_manifest *m, const struct value_line *v) {
    struct value_line *list = grown(m->value, m->n, sizeof *list);
    if (!list) return -1;
    m->value = list;
    m->value[m->n++] = *v;
    return v->age + 2 * (m->n - 1) == m->last ? 0 : fail("age %" PRIu64 " is out of turn", v->age);
}

static int word(const struct line *l, const char *const *words, int *to) {
    for (*to = 0; words[*to]; ++*to)
        if (strcmp(l->field[1], words[*to]) == 0) return 0;
    return wrong(l);
}

static int read_backward_line(const struct line *l, struct backward_manifest *m) {
    struct objective *o = &m->objective;
    struct value_line v;
    uint64_t n;
    int choice;
    if (m->complete) return wrong(l);
    if (is(l, "spawn", 2)) return word(l, spawn_choices, &choice) ? -1 : (o->spawn = (enum spawn_choice)choice, 0);
    if (is(l, "reach", 2)) return number(l, 1, &n) || n > 31 ? wrong(l) : (o->reach = (unsigned)n, 0);
    if (is(l, "precision", 2)) return number(l, 1, &n) || n > 40 ? wrong(l) : (o->precision = (unsigned)n, 0);
    if (is(l, "horizon", 2)) return number(l, 1, &n) || n > 1 ? wrong(l) : (o->horizon = (int)n, 0);
    if (is(l, "last", 2)) return number(l, 1, &m->last);
    if (is(l, "age", 5)) {
        if (number(l, 1, &v.age) || number(l, 2, &v.bytes) || digest(l, 4, v.sha256)) return -1;
        if (number_f64(l->field[3], -1e300, 1e300, &v.best)) return wrong(l);
        return keep_value(m, &v) ? wrong(l) : 0;
    }
    if (!is(l, "end", 5)) return wrong(l);
    double *to[4] = {&m->start.all, &m->start.of_22, &m->start.of_24, &m->start.of_44};
    for (unsigned k = 0; k < 4; k++)
        if (number_f64(l->field[k + 1], -1e300, 1e300, to[k])) return wrong(l);
    m->complete = 1;
    return 0;
}

int backward_manifest_read(const struct journal *j, struct backward_manifest *m) {
    struct line l;
    *m = (struct backward_manifest){0};
    for (size_t i = 0; i < journal_lines(j); i++) {
        int bad = split(&l, j, i);
        if (!bad) bad = i ? read_backward_line(&l, m) : is(&l, "values", 2) ? 0 : wrong(&l);
        if (!bad && !i && strcmp(l.field[1], "1") != 0)
            bad = fail("%s: values of unknown version %s", l.folder, l.field[1]);
        if (bad) return backward_manifest_free(m), -1;
    }
    return 0;
}

void backward_manifest_free(struct backward_manifest *m) {
    free(m->value);
    m->value = NULL;
    m->n = 0;
}

int backward_manifest_begin(struct journal *j, struct backward_manifest *m) {
    const struct objective *o = &m->objective;
    return journal_add(j, "values\t1") || journal_add(j, "spawn\t%s", spawn_choices[o->spawn]) ||
                   journal_add(j, "reach\t%u", o->reach) ||
                   journal_add(j, "precision\t%u", o->precision) ||
                   journal_add(j, "horizon\t%d", o->horizon) ||
                   journal_add(j, "last\t%" PRIu64, m->last)
               ? -1
               : 0;
}

int backward_manifest_add(struct journal *j, struct backward_manifest *m,
                          const struct value_line *v) {
    char best[NUMBER_TEXT];
    if (keep_value(m, v)) return -1;
    return journal_add(j, "age\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s", v->age, v->bytes,
                       number_text(v->best, best), v->sha256);
}

int backward_manifest_end(struct journal *j, struct backward_manifest *m,
                          const struct start_values *s) {
    char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT], d[NUMBER_TEXT];
    m->complete = 1;
    m->start = *s;
    return journal_add(j, "end\t%s\t%s\t%s\t%s", number_text(s->all, a), number_text(s->of_22, b),
                       number_text(s->of_24, c), number_text(s->of_44, d));
}

const struct value_line *backward_manifest_age(const struct backward_manifest *m, uint64_t age) {
    if (age > m->last || (m->last - age) % 2 || (m->last - age) / 2 >= m->n) return NULL;
    return &m->value[(m->last - age) / 2];
}
