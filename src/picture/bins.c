// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "picture/axis.h"
#include "picture/chart.h"
#include "util/fail.h"

enum { MOST_BINS = 80, FEWEST_BINS = 5 };

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The values of all series in ascending order, their logarithms on a log axis,
// and whether all are whole numbers.
static double *sorted_values(const struct chart *c, size_t *n, int *whole) {
    *n = 0;
    *whole = !c->x.log;
    for (unsigned i = 0; i < c->n; i++) *n += c->series[i].n;
    double *v = fail_alloc(*n, sizeof *v);
    if (!v) return NULL;
    size_t k = 0;
    for (unsigned i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->series[i].n; j++) {
            double x = c->series[i].point[j].x;
            if (x != floor(x)) *whole = 0;
            v[k++] = c->x.log ? log10(x) : x;
        }
    qsort(v, *n, sizeof *v, ascending);
    return v;
}

// A width for bins: after Freedman and Diaconis twice the range of the middle
// half over the cube root of n, or half the whole range over it if that is less,
// because scores crowd in several places. Rounded, so that bins begin at round
// values.
static double bin_width(const double *v, size_t n, double range, int whole) {
    double root = cbrt((double)n), middle = v[n - 1 - n / 4] - v[n / 4];
    double width = fmin(2 * middle, range / 2) / root;
    width = fmin(fmax(width, range / MOST_BINS), range / FEWEST_BINS);
    if (width <= 0) return 1;
    width = axis_round(width / 1.4);
    return whole ? fmax(width, 1) : width;
}

static int make_edges(struct chart *c, double low, double width, size_t bins) {
    c->edge = fail_alloc(bins + 1, sizeof *c->edge);
    if (!c->edge) return -1;
    for (size_t i = 0; i <= bins; i++) {
        double at = low + (double)i * width;
        c->edge[i] = c->x.log ? fmin(pow(10, at), 1e305) : at;
    }
    c->bins = bins;
    return 0;
}

// The end of a range that the caller chose, or that of the data.
static double chosen(const struct chart_axis *axis, double end, double data) {
    return isnan(end) ? data : axis->log ? log10(end) : end;
}

static int choose_edges(struct chart *c, unsigned bins) {
    size_t n;
    int whole;
    double *v = sorted_values(c, &n, &whole);
    if (!v) return -1;
    if (n == 0) return free(v), fail("no data");
    double low = chosen(&c->x, c->x.low, v[0]), high = chosen(&c->x, c->x.high, v[n - 1]);
    double width = bin_width(v, n, high - low, whole), first = floor(low / width + 1e-9);
    free(v);
    if (!(low <= high)) return fail("no data in the range");
    if (bins && high > low) return make_edges(c, low, (high - low) / bins, bins);
    return make_edges(c, first * width, width, (size_t)(floor(high / width + 1e-9) - first) + 1);
}

// Rounding must not push the first and the last value out of their bins.
static void widen_edges(struct chart *c) {
    for (unsigned i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->series[i].n; j++) {
            double x = c->series[i].point[j].x, *first = c->edge, *last = c->edge + c->bins;
            if (isnan(c->x.low)) *first = fmin(*first, x);
            if (isnan(c->x.high)) *last = fmax(*last, x);
        }
}

// The bin of a value; the last one includes its end. bins if there is none.
static size_t bin_of(const struct chart *c, double v) {
    size_t low = 0, high = c->bins;
    if (v < c->edge[0] || v > c->edge[c->bins]) return c->bins;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(v < c->edge[middle] ? &high : &low) = middle;
    }
    return low;
}

int chart_fill_bins(struct chart *c, unsigned bins) {
    if (choose_edges(c, bins)) return -1;
    widen_edges(c);
    for (unsigned i = 0; i < c->n; i++) {
        struct chart_series *s = &c->series[i];
        struct chart_point *bin = fail_alloc(c->bins, sizeof *bin);
        if (!bin) return -1;
        for (size_t k = 0; k < c->bins; k++) bin[k] = (struct chart_point){(double)k, 0, NAN, NAN};
        double one = c->percent ? 1 / (double)s->n : 1;
        for (size_t j = 0; j < s->n; j++) {
            size_t k = bin_of(c, s->point[j].x);
            if (k < c->bins) bin[k].y += 1;
        }
        for (size_t k = 0; k < c->bins; k++) bin[k].y *= one;
        free(s->point);
        s->point = bin;
        s->n = s->room = c->bins;
    }
    return 0;
}
