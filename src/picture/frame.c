// SPDX-License-Identifier: MIT
#include "picture/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

// The axis to the right begins at 0 if the data begin in this part of it.
#define NEAR 0.12

// Of slanted names: 35 degrees.
#define SLANT_COS 0.819
#define SLANT_SIN 0.574

// The smallest and largest of the numbers given so far.
struct extent {
    double low, high;
};

static void extend(struct extent *e, double v) {
    if (isnan(v)) return;
    e->low = fmin(e->low, v);
    e->high = fmax(e->high, v);
}

static int within(const struct chart_axis *axis, double v) {
    return !(v < axis->low) && !(v > axis->high);
}

// The extents of the points whose x is shown, and of the marks. 0, or -1 if
// there is no point.
static int find_extents(const struct chart *c, struct extent *x, struct extent *y) {
    *x = *y = (struct extent){INFINITY, -INFINITY};
    for (unsigned i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->series[i].n; j++) {
            const struct chart_point *p = &c->series[i].point[j];
            int bars = c->kind == CHART_BARS || c->kind == CHART_HISTOGRAM;
            if (isnan(p->y) || (!bars && !within(&c->x, p->x))) continue;
            if (c->y.log && p->y <= 0) continue; // an empty bin
            extend(x, p->x);
            extend(y, p->y);
            if (!c->y.log || p->low > 0) extend(y, p->low);
            extend(y, p->high);
        }
    if (!(y->low <= y->high)) return fail("no data");
    if (c->kind == CHART_HISTOGRAM) *x = (struct extent){c->edge[0], c->edge[c->bins]};
    for (unsigned i = 0; i < c->y.marks.n; i++) extend(y, c->y.marks.mark[i].at);
    for (unsigned i = 0; i < c->x.marks.n; i++) extend(x, c->x.marks.mark[i].at);
    return 0;
}

static struct scale make_scale(const struct chart_axis *axis, struct extent e,
                               struct axis_wish wish) {
    axis_range(&e.low, &e.high, axis->log, wish);
    struct scale s = {axis->log, e.low, e.high, 0, 1};
    if (!isnan(axis->low)) s.low = axis->low;
    if (!isnan(axis->high)) s.high = axis->high;
    return s;
}

static int find_scales(struct frame *f) {
    const struct chart *c = f->chart;
    struct extent x, y;
    if (find_extents(c, &x, &y)) return -1;
    int bars = c->kind == CHART_BARS || c->kind == CHART_HISTOGRAM;
    int full = c->percent && !c->y.log && isnan(c->y.high) && y.high <= 1 && y.high > 0.9;
    if (bars && c->y.log) y.low /= 2; // a bar of the smallest value is seen, too
    f->y = make_scale(&c->y, y, (struct axis_wish){.zero = bars, .near = 0.5, .room = 0.05});
    if (full) f->y.high = 1; // no share is above all
    struct axis_wish wish = {.near = NEAR, .room = c->kind == CHART_POINTS ? 0.03 : 0};
    f->x = c->kind == CHART_BARS ? (struct scale){0, 0, (double)c->categories, 0, 1}
                                 : make_scale(&c->x, x, wish);
    if (!(f->x.low < f->x.high) || !(f->y.low < f->y.high))
        return fail("the range of an axis is empty");
    return 0;
}

const char *frame_label(const struct frame *f, const struct chart_axis *axis) {
    const struct chart *c = f->chart;
    if (axis->label) return axis->label;
    if (axis == &c->y && c->kind == CHART_HISTOGRAM) return c->percent ? "share" : "number";
    return axis->column ? axis->column : "";
}

double frame_legend(const struct frame *f, struct out *out, double y) {
    const struct chart *c = f->chart;
    double x = SVG_MARGIN, most = c->size.width - SVG_MARGIN;
    if (c->n < 2) return y;
    for (unsigned i = 0; i < c->n; i++) {
        char name[TEXT_LINE];
        text_fit(c->series[i].name, SVG_LARGE, most - SVG_MARGIN - FRAME_SAMPLE - 6, name);
        double width = FRAME_SAMPLE + 6 + text_width(name, SVG_LARGE);
        if (x > SVG_MARGIN && x + width > most) x = SVG_MARGIN, y += FRAME_LINE;
        if (out) {
            marks_sample(f, out, i, x + FRAME_SAMPLE / 2, y + FRAME_LINE / 2);
            svg_text(out, x + FRAME_SAMPLE + 6, y + FRAME_LINE / 2 + 5, "ink", name);
        }
        x += width + SVG_LARGE;
    }
    return y + FRAME_LINE + 2;
}

const char *frame_value(const struct frame *f, double v, char to[TEXT_NUMBER]) {
    if (!f->chart->percent) return text_number(v, to);
    // Three digits are enough of a share, unless they would make it all or nothing.
    double percent = 100 * v;
    int decimals = percent >= 9.995 ? 1 : 2;
    for (double scale = pow(10, decimals); decimals < 6; scale *= 10, decimals++) {
        double shown = round(percent * scale) / scale;
        if (shown == percent || (shown != 0 && shown != 100)) break;
    }
    text_trimmed(percent, decimals, to);
    strncat(to, "%", 2);
    return to;
}

// Whether one series of bars has room for its values over the bars.
static int values_fit(const struct frame *f, double pitch) {
    const struct chart *c = f->chart;
    char text[TEXT_NUMBER];
    if (c->kind != CHART_BARS || c->n != 1) return 0;
    for (size_t i = 0; i < c->series[0].n; i++) {
        const struct chart_point *p = &c->series[0].point[i];
        if (!isnan(p->low) || p->y < 0) return 0;
        if (!isnan(p->y) && text_width(frame_value(f, p->y, text), SVG_LARGE) > pitch - 4) return 0;
    }
    return 1;
}

static double name_width(const struct chart *c, size_t i) {
    char name[TEXT_LINE];
    return text_width(text_fit(c->category[i], SVG_LARGE, FRAME_NAME, name), SVG_LARGE);
}

// The lines that all names take if each is broken to fit under its bar; 0 if
// one cannot be.
static unsigned broken_lines(const struct chart *c, double pitch) {
    char line[FRAME_NAME_LINES + 1][TEXT_LINE];
    unsigned most = 1;
    for (size_t i = 0; i < c->categories; i++) {
        unsigned n = text_wrap(c->category[i], SVG_LARGE, pitch - 6, FRAME_NAME_LINES + 1, line);
        size_t length = 0;
        for (unsigned j = 0; j < n; j++) length += strlen(line[j]) + (j > 0);
        // What was cut or squeezed is no longer the name.
        if (n > FRAME_NAME_LINES || length != strlen(c->category[i]) ||
            (n && strstr(line[n - 1], "\xe2\x80\xa6")))
            return 0;
        if (n > most) most = n;
    }
    return most;
}

// How many of the names can be shown: every one, every second, ...
static size_t every_for(double pitch, double width) { return (size_t)ceil(width / pitch); }

// Decides how the names of categories stand; returns the height they take.
static double place_names(struct frame *f) {
    const struct chart *c = f->chart;
    double pitch = (f->right - f->left) / (double)c->categories, widest = 0, tallest = 0;
    unsigned lines = broken_lines(c, pitch);
    for (size_t i = 0; i < c->categories; i++) widest = fmax(widest, name_width(c, i));
    f->slanted = lines == 0;
    f->every = f->slanted ? every_for(pitch, 1.3 * SVG_LARGE) : 1;
    // Short names of slim bars, such as numbers, need not be slanted.
    if (f->every > 1 && every_for(pitch, widest + 6) <= f->every + 1) {
        f->every = every_for(pitch, widest + 6);
        f->slanted = 0;
        lines = 1;
    }
    if (!f->slanted) return lines * 1.15 * SVG_LARGE + 5;
    // A slanted name reaches to the left of its bar.
    for (size_t i = 0; i < c->categories; i += f->every) {
        double width = name_width(c, i);
        tallest = fmax(tallest, width * SLANT_SIN);
        f->left = fmax(f->left, SVG_MARGIN + width * SLANT_COS - ((double)i + 0.5) * pitch);
    }
    return tallest + SVG_LARGE;
}

// Ticks of both axes and the margins they need. The first round guesses the
// height, the second knows it.
static void place_axes(struct frame *f) {
    const struct chart *c = f->chart;
    enum axis_numbers numbers = c->percent ? AXIS_PERCENT : AXIS_PLAIN;
    double foot = *frame_label(f, &c->x) ? FRAME_LINE : 0, names = FRAME_LINE;
    // Counts are whole, and so are their ticks.
    double step = c->kind == CHART_HISTOGRAM && !c->percent ? 1 : 0;
    f->right = c->size.width - SVG_MARGIN - 8.0;
    for (int round = 0; round < 2; round++) {
        f->bottom = c->size.height - SVG_MARGIN / 2.0 - foot - names - 4;
        f->y.from = f->bottom;
        f->y.to = f->top;
        axis_ticks(&f->y_ticks, &f->y, (unsigned)fmax(2, (f->bottom - f->top) / 40), step, numbers);
        f->left = SVG_MARGIN;
        for (unsigned i = 0; i < f->y_ticks.n; i++)
            f->left =
                fmax(f->left, SVG_MARGIN + FRAME_GAP + text_width(f->y_ticks.text[i], SVG_LARGE));
        if (c->kind == CHART_BARS) names = place_names(f);
    }
    f->x.from = f->left;
    f->x.to = f->right;
    if (c->kind == CHART_BARS) return;
    axis_ticks_beside(&f->x_ticks, &f->x, SVG_LARGE, 0, AXIS_PLAIN);
    // The last number must not reach beyond the picture.
    if (f->x_ticks.n) {
        unsigned last = f->x_ticks.n - 1;
        double reach =
            scale_at(&f->x, f->x_ticks.at[last]) + text_width(f->x_ticks.text[last], SVG_LARGE) / 2;
        f->x.to = f->right -= fmax(0, reach - (c->size.width - 4.0));
    }
}

int frame_init(struct frame *f, const struct chart *c) {
    *f = (struct frame){.chart = c};
    if (find_scales(f)) return -1;
    f->legend = SVG_MARGIN / 2.0 + svg_title_height(c->size.width, c->title) + (c->title ? 2 : 0);
    f->top =
        frame_legend(f, NULL, f->legend) + (*frame_label(f, &c->y) ? FRAME_LINE + 4 : FRAME_GAP);
    f->values = 0;
    place_axes(f);
    if (c->kind == CHART_BARS && values_fit(f, (f->right - f->left) / (double)c->categories)) {
        f->values = 1;
        f->top += FRAME_LINE - 4;
        place_axes(f);
    }
    if (f->right - f->left < FRAME_LEAST || f->bottom - f->top < FRAME_LEAST)
        return fail("%ux%u: too small for this chart", c->size.width, c->size.height);
    f->columns = c->size.width / FRAME_CELL + 1;
    f->rows = c->size.height / FRAME_CELL + 1;
    f->covered = calloc(f->columns, f->rows);
    return f->covered ? 0 : fail("memory: none for a chart");
}

void frame_free(struct frame *f) { free(f->covered); }

static double nearer(double v, unsigned size) { return fmin(fmax(v, -4.0 * size), 4.0 * size); }

double frame_x(const struct frame *f, double v) {
    return nearer(scale_at(&f->x, v), f->chart->size.width);
}

double frame_y(const struct frame *f, double v) {
    return nearer(scale_at(&f->y, v), f->chart->size.height);
}

void frame_bar(const struct frame *f, unsigned i, const struct chart_point *p, double *left,
               double *right) {
    const struct chart *c = f->chart;
    if (c->kind == CHART_HISTOGRAM) {
        size_t bin = (size_t)p->x;
        *left = frame_x(f, c->edge[bin]);
        *right = frame_x(f, c->edge[bin + 1]);
        return;
    }
    // A fifth of the pitch is between groups, and bars of few groups stay slim.
    double pitch = (f->right - f->left) / (double)c->categories;
    double group = fmin(pitch * 0.8, 90.0 * c->n), width = group / c->n;
    *left = f->left + (p->x + 0.5) * pitch - group / 2 + i * width;
    *right = *left + width - (c->n > 1 && width > 4 ? 1.5 : 0);
}
