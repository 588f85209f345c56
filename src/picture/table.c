// SPDX-License-Identifier: MIT
#include "picture/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"
#include "util/number.h"

enum { MOST_COLUMNS = 256 };

struct table {
    struct in *in;
    uint64_t line;
    unsigned columns;
    char *header; // the names, each ended by a zero
    char *name[MOST_COLUMNS];
    char *cell[MOST_COLUMNS];
};

int table_fail(const struct table *t, const char *format, ...) {
    char reason[800];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return fail("%s: line %" PRIu64 ": %s", in_name(t->in), t->line, reason);
}

// Splits a line in place; the number of parts, or MOST_COLUMNS + 1.
static unsigned split(char *line, char separator, char *part[MOST_COLUMNS]) {
    unsigned n = 0;
    for (char *next = line; next;) {
        if (n == MOST_COLUMNS) return n + 1;
        part[n++] = next;
        next = strchr(next, separator);
        if (next) *next++ = '\0';
    }
    return n;
}

// The next line that is not empty, without a carriage return at its end.
static int next_line(struct table *t, char **line) {
    size_t n;
    int got;
    while ((got = in_line(t->in, line, &n)) > 0) {
        t->line++;
        if (strlen(*line) != n) return table_fail(t, "has a zero byte");
        if (n && (*line)[n - 1] == '\r') (*line)[--n] = '\0';
        if (n) return 1;
    }
    return got;
}

static int read_header(struct table *t, const char *names) {
    char *line;
    int got = names ? 1 : next_line(t, &line);
    if (got < 0) return -1;
    if (got == 0)
        return fail("%s: empty: a line with the columns' names is needed", in_name(t->in));
    t->header = strdup(names ? names : line);
    if (!t->header) return fail("memory: none for the columns' names");
    t->columns = split(t->header, names ? ',' : '\t', t->name);
    if (t->columns > MOST_COLUMNS)
        return fail("%s: more than %d columns", in_name(t->in), MOST_COLUMNS);
    return 0;
}

struct table *table_open(struct in *in, const char *names) {
    struct table *t = calloc(1, sizeof *t);
    if (!t) return fail("memory: none for a table"), NULL;
    t->in = in;
    if (read_header(t, names)) {
        table_close(t);
        return NULL;
    }
    return t;
}

void table_close(struct table *t) {
    if (!t) return;
    free(t->header);
    free(t);
}

const char *table_file(const struct table *t) { return in_name(t->in); }
unsigned table_columns(const struct table *t) { return t->columns; }
const char *table_name(const struct table *t, unsigned column) { return t->name[column]; }

int table_column(const struct table *t, const char *name) {
    char all[400] = "";
    uint64_t number;
    for (unsigned i = 0; i < t->columns; i++) {
        if (strcmp(t->name[i], name) == 0) return (int)i;
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", t->name[i]);
    }
    if (number_u64(name, 1, t->columns, &number) == 0) return (int)number - 1;
    return fail("%s: no column '%s' among %s", in_name(t->in), name, all);
}

int table_next(struct table *t) {
    char *line;
    int got = next_line(t, &line);
    if (got <= 0) return got;
    unsigned n = split(line, '\t', t->cell);
    return n == t->columns ? 1 : table_fail(t, "has %u columns instead of %u", n, t->columns);
}

const char *table_cell(const struct table *t, unsigned column) { return t->cell[column]; }

int table_number(const struct table *t, unsigned column, double *to) {
    // Beyond this, differences and sums would no longer be numbers.
    static const double most = 1e300;
    const char *text = t->cell[column];
    if (!*text || strcmp(text, "-") == 0) return 0;
    if (number_f64(text, -most, most, to) == 0) return 1;
    return table_fail(t, "%s: '%s': %s", t->name[column], text, fail_text());
}
