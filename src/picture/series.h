// SPDX-License-Identifier: MIT
// Series of a chart from the columns of a table.
#ifndef PICTURE_SERIES_H
#define PICTURE_SERIES_H

#include "picture/chart.h"
#include "picture/table.h"

// A list of columns.
struct series_names {
    const char *name[CHART_SERIES];
    unsigned n;
};

struct series_spec {
    const char *x;            // NULL: the first column
    struct series_names y;    // none: the second column
    struct series_names band; // for each y: "COLUMN", y plus and minus it, or "LOW:HIGH"
    const char *by;           // its texts split the rows into series; NULL: they do not
};

// Adds the rows of a table to a chart. file is part of the series' names unless
// it is NULL. 0, or -1 on failure.
int series_read(struct chart *c, const struct series_spec *spec, struct table *t, const char *file);

#endif
