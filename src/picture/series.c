// SPDX-License-Identifier: MIT
#include "picture/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture/text.h"
#include "util/fail.h"

// The columns of one table.
struct columns {
    int x, by, y[CHART_SERIES], low[CHART_SERIES], high[CHART_SERIES];
    unsigned n;
};

// A column's name as people write it.
static void spaced(const char *name, char to[TEXT_LINE]) {
    snprintf(to, TEXT_LINE, "%s", name);
    for (char *c = to; *c; c++)
        if (*c == '_') *c = ' ';
}

static int keep_name(char **to, const struct table *t, int column) {
    char text[TEXT_LINE];
    if (*to) return 0;
    spaced(table_name(t, (unsigned)column), text);
    *to = strdup(text);
    return *to ? 0 : fail("memory: none for a name");
}

// "COLUMN" gives low alone, "LOW:HIGH" both. 0, or -1 on failure.
static int find_band(const struct table *t, const char *text, int *low, int *high) {
    char first[TEXT_LINE];
    const char *colon = strchr(text, ':');
    *low = *high = -1;
    snprintf(first, sizeof first, "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
    if ((*low = table_column(t, first)) < 0) return -1;
    return colon && (*high = table_column(t, colon + 1)) < 0 ? -1 : 0;
}

static int find_columns(struct columns *k, const struct series_spec *spec, const struct table *t,
                        int histogram) {
    *k = (struct columns){.by = -1};
    if (spec->x && (k->x = table_column(t, spec->x)) < 0) return -1;
    if (spec->by && (k->by = table_column(t, spec->by)) < 0) return -1;
    if (histogram) return 0;
    if (spec->y.n == 0 && table_columns(t) < 2)
        return fail("%s: '%s' is the only column: it could be a histogram", table_file(t),
                    table_name(t, 0));
    k->n = spec->y.n ? spec->y.n : 1;
    for (unsigned i = 0; i < k->n; i++) {
        k->y[i] = spec->y.n ? table_column(t, spec->y.name[i]) : 1;
        k->low[i] = k->high[i] = -1;
        if (k->y[i] < 0) return -1;
        if (i < spec->band.n && find_band(t, spec->band.name[i], &k->low[i], &k->high[i]))
            return -1;
    }
    return 0;
}

// A series is named by what tells it from the others: its file, its column, its
// group; by its column if nothing does.
static struct chart_series *find_series(struct chart *c, const struct table *t,
                                        const struct columns *k, int column, const char *file) {
    char name[3 * TEXT_LINE] = "", text[TEXT_LINE];
    const char *part[3] = {file, NULL, k->by >= 0 ? table_cell(t, (unsigned)k->by) : NULL};
    spaced(table_name(t, (unsigned)column), text);
    if (k->n > 1 || (!file && k->by < 0)) part[1] = text;
    for (int i = 0; i < 3; i++) {
        size_t used = strlen(name);
        if (part[i])
            snprintf(name + used, sizeof name - used, "%s%.*s", used ? ", " : "", TEXT_LINE,
                     part[i]);
    }
    return chart_series(c, name);
}

// A cell as a number that the axis has a place for. 1, 0 for a gap, -1 on failure.
static int number_on(const struct chart *c, const struct chart_axis *axis, const struct table *t,
                     int column, double *to) {
    int got = table_number(t, (unsigned)column, to);
    if (got <= 0 || !axis->log || *to > 0) return got;
    if (c->gaps) return 0;
    return table_fail(t, "%s: %s has no place on a log axis (--gaps leaves it out)",
                      table_name(t, (unsigned)column), table_cell(t, (unsigned)column));
}

static int read_band(const struct table *t, int low, int high, struct chart_point *p) {
    double a = NAN, b = NAN;
    p->low = p->high = NAN;
    if (low < 0) return 0;
    int one = table_number(t, (unsigned)low, &a);
    int two = high < 0 ? one : table_number(t, (unsigned)high, &b);
    if (one < 0 || two < 0) return -1;
    if (!one || !two || isnan(p->y)) return 0;
    p->low = high < 0 ? p->y - fabs(a) : fmin(a, b);
    p->high = high < 0 ? p->y + fabs(a) : fmax(a, b);
    return 0;
}

// The x of a row: a number, or a bar's category. 1, 0 for a gap, -1 on failure.
static int read_x(struct chart *c, const struct table *t, int column, double *x) {
    if (c->kind == CHART_BARS) {
        int at = chart_category(c, table_cell(t, (unsigned)column));
        return *x = at, at < 0 ? -1 : 1;
    }
    int got = number_on(c, &c->x, t, column, x);
    if (got < 0 && c->kind != CHART_HISTOGRAM && strstr(fail_text(), "not a number"))
        return fail("%s (bars take any text)", fail_text());
    return got;
}

static int taken(const struct chart_series *s, double x) {
    for (size_t i = 0; i < s->n; i++)
        if (s->point[i].x == x) return 1;
    return 0;
}

static int read_row(struct chart *c, const struct table *t, const struct columns *k,
                    const char *file) {
    struct chart_point p = {0, NAN, NAN, NAN};
    int there = read_x(c, t, k->x, &p.x);
    if (there <= 0) return there;
    if (c->kind == CHART_HISTOGRAM) {
        struct chart_series *s = find_series(c, t, k, k->x, file);
        return s ? chart_add(s, p) : -1;
    }
    for (unsigned i = 0; i < k->n; i++) {
        int got = number_on(c, &c->y, t, k->y[i], &p.y);
        if (got < 0) return -1;
        if (got == 0) p.y = NAN;
        if (read_band(t, k->low[i], k->high[i], &p)) return -1;
        struct chart_series *s = find_series(c, t, k, k->y[i], file);
        if (!s) return -1;
        if (c->kind == CHART_BARS && taken(s, p.x))
            return table_fail(t, "%s: a second bar for '%s'", s->name,
                              table_cell(t, (unsigned)k->x));
        if (chart_add(s, p)) return -1;
    }
    return 0;
}

int series_read(struct chart *c, const struct series_spec *spec, struct table *t,
                const char *file) {
    struct columns k;
    size_t rows = 0;
    int got;
    if (find_columns(&k, spec, t, c->kind == CHART_HISTOGRAM) || keep_name(&c->x.column, t, k.x))
        return -1;
    if (k.n == 1 && keep_name(&c->y.column, t, k.y[0])) return -1;
    for (; (got = table_next(t)) > 0; rows++)
        if (read_row(c, t, &k, file)) return -1;
    return got || rows ? got : fail("%s: no rows below the columns' names", table_file(t));
}
