// SPDX-License-Identifier: MIT
// Charts: lines with bands, points, bars and histograms.
#ifndef PICTURE_CHART_H
#define PICTURE_CHART_H

#include <stddef.h>

#include "picture/svg.h"

enum { CHART_SERIES = SVG_COLOURS, CHART_MARKS = 8 };

enum chart_kind { CHART_LINE, CHART_POINTS, CHART_BARS, CHART_HISTOGRAM };

// y is NAN where there is a gap; low and high are NAN without a band. x of a
// bar is the index of its category, x of a histogram's bar that of its bin.
struct chart_point {
    double x, y, low, high;
};

struct chart_series {
    char *name;
    struct chart_point *point;
    size_t n, room;
};

// A line across the chart, with what it means; the label may be "".
struct chart_mark {
    double at;
    const char *label;
};

struct chart_marks {
    struct chart_mark mark[CHART_MARKS];
    unsigned n;
};

struct chart_axis {
    const char *label; // NULL: the column's name
    char *column;      // that name, as people write it
    int log;
    double low, high; // NAN: as the data demand
    struct chart_marks marks;
};

// Set the first members and the axes; the functions below make the rest, which
// chart_free frees.
struct chart {
    enum chart_kind kind;
    struct svg_size size;
    const char *title;
    struct chart_axis x, y;
    int percent; // y is a share, shown as percent
    int gaps;    // what a log axis has no place for is left out, not refused

    struct chart_series series[CHART_SERIES];
    unsigned n;
    char **category; // of bars
    size_t categories, category_room;
    double *edge; // of a histogram's bins: one more than there are bins
    size_t bins;
};

// The series of that name, made if there is none. NULL on failure.
struct chart_series *chart_series(struct chart *c, const char *name);

// Adds a point. 0, or -1 on failure.
int chart_add(struct chart_series *s, struct chart_point p);

// The index of a category, made if there is none; -1 on failure.
int chart_category(struct chart *c, const char *name);

// Turns the values of a histogram, which were added as x, into bins: so many,
// or for 0 as many as suit the data. 0, or -1 on failure.
int chart_fill_bins(struct chart *c, unsigned bins);

// Draws the chart. 0, or -1 if it has no data or they cannot be drawn so.
int chart_draw(struct chart *c, struct out *out);

void chart_free(struct chart *c);

#endif
