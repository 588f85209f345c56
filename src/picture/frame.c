// SPDX-License-Identifier: MIT
#include "picture/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

enum {
    LINE = 25,        // height of a line of text at its larger size
    SAMPLE = 30,      // width of a legend's sample
    GAP = 8,          // between an axis and its numbers
    CELL = 6,         // of the map of what is covered
    LEAST = 60,       // of data, in pixels
    NAME = 150,       // longest slanted name of a category
    NAME_LINES = 3,   // of one that is not slanted
};

// The axis to the right begins at 0 if the data begin in this part of it.
#define NEAR 0.12

// Of slanted names: 35 degrees.
#define SLANT_COS 0.819
#define SLANT_SIN 0.574

const struct svg_rule frame_rules[] = {
    {".grid", "stroke:#dde2e7;fill:none", "stroke:#2d343c"},
    {".faint", "stroke:#eef1f4;fill:none", "stroke:#20262d"},
    {".axis", "stroke:#6b757f;fill:none", "stroke:#8a949e"},
    {".mark", "stroke:#4d565f;stroke-width:1.5;stroke-dasharray:1.5 3;fill:none", "stroke:#b4bec8"},
    {".halo", "paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round", "stroke:#14181d"},
    {".line", "fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round", NULL},
    {".band", "fill:currentColor;fill-opacity:.18", NULL},
    {".dot", "fill:currentColor", NULL},
    {".cloud", "fill:currentColor;fill-opacity:.6", NULL},
    {".whisker", "fill:none;stroke-width:1.5;stroke:#1c2126", "stroke:#e9eef3"},
    {".b0", "fill:currentColor", NULL},
    {".b1", "fill:currentColor;fill-opacity:.4;stroke:currentColor;stroke-width:1.5", NULL},
    {".b2", "fill:currentColor;fill-opacity:.6", NULL},
    {".b3", "fill:currentColor;fill-opacity:.05;stroke:currentColor;stroke-width:1.5;stroke-dasharray:3 2", NULL},
    {".c0", "color:#1c7ed6", "color:#4594f7"},
    {".c1", "color:#d9610f", "color:#f5772e"},
    {".c2", "color:#0a5230", "color:#62eba6"},
    {".c3", "color:#741f78", "color:#c98ab5"},
    {".c4", "color:#a37538", "color:#f3cc3c"},
    {".c5", "color:#3b37c2", "color:#b0a5f2"},
    {".c6", "color:#7f868d", "color:#e4e7ea"},
    {".c7", "color:#9b3d46", "color:#d86b6e"},
    {".d1", "stroke-dasharray:7 3", NULL},
    {".d2", "stroke-dasharray:2 2.5", NULL},
    {".d3", "stroke-dasharray:9 3 2 3", NULL},
    {".d4", "stroke-dasharray:14 4", NULL},
    {".d5", "stroke-dasharray:6 2 2 2 2 2", NULL},
    {".d6", "stroke-dasharray:4 6", NULL},
    {".d7", "stroke-dasharray:12 3 5 3", NULL},
    {NULL, NULL, NULL},
};

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

// The extent of x; of y for the points whose x is shown.
static void find_extents(const struct chart *c, struct extent *x, struct extent *y) {
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
    for (unsigned i = 0; i < c->y.marks.n; i++) extend(y, c->y.marks.mark[i].at);
    for (unsigned i = 0; i < c->x.marks.n; i++) extend(x, c->x.marks.mark[i].at);
}

static struct scale make_scale(const struct chart_axis *axis, struct extent e, struct axis_wish wish) {
    axis_range(&e.low, &e.high, axis->log, wish);
    struct scale s = {axis->log, e.low, e.high, 0, 1};
    if (!isnan(axis->low)) s.low = axis->low;
    if (!isnan(axis->high)) s.high = axis->high;
    return s;
}

static int find_scales(struct frame *f) {
    const struct chart *c = f->chart;
    struct extent x, y;
    find_extents(c, &x, &y);
    if (!(y.low <= y.high)) return fail("no data");
    int bars = c->kind == CHART_BARS || c->kind == CHART_HISTOGRAM;
    double full = c->percent && !c->y.log && y.high <= 1 && y.high > 0.9 ? 1 : NAN;
    if (bars && c->y.log) y.low /= 2; // a bar of the smallest value is seen, too
    f->y = make_scale(&c->y, y, (struct axis_wish){.zero = bars, .near = 0.5, .room = 0.05});
    if (!isnan(full) && isnan(c->y.high)) f->y.high = full;
    if (c->kind == CHART_BARS)
        f->x = (struct scale){0, 0, (double)c->categories, 0, 1};
    else if (c->kind == CHART_HISTOGRAM)
        f->x = make_scale(&c->x, (struct extent){c->edge[0], c->edge[c->bins]}, (struct axis_wish){.near = NEAR});
    else
        f->x = make_scale(&c->x, x, (struct axis_wish){.near = NEAR, .room = c->kind == CHART_POINTS ? 0.03 : 0});
    if (!(f->x.low < f->x.high) || !(f->y.low < f->y.high)) return fail("the range of an axis is empty");
    return 0;
}

const char *frame_label(const struct frame *f, const struct chart_axis *axis) {
    const struct chart *c = f->chart;
    if (axis->label) return axis->label;
    if (axis == &c->y && c->kind == CHART_HISTOGRAM) return c->percent ? "share" : "number";
    return axis->column ? axis->column : "";
}

// Goes over the legend's entries, row by row, and draws them unless out is
// NULL. Returns the y below it.
static double legend(const struct frame *f, struct out *out, double y) {
    const struct chart *c = f->chart;
    double x = SVG_MARGIN, most = c->size.width - SVG_MARGIN;
    if (c->n < 2) return y;
    for (unsigned i = 0; i < c->n; i++) {
        char name[TEXT_LINE];
        text_fit(c->series[i].name, SVG_LARGE, most - SVG_MARGIN - SAMPLE - 6, name);
        double width = SAMPLE + 6 + text_width(name, SVG_LARGE);
        if (x > SVG_MARGIN && x + width > most) x = SVG_MARGIN, y += LINE;
        if (out) {
            marks_sample(f, out, i, x + SAMPLE / 2, y + LINE / 2);
            svg_text(out, x + SAMPLE + 6, y + LINE / 2 + 5, "ink", name);
        }
        x += width + SVG_LARGE;
    }
    return y + LINE + 2;
}

const char *frame_value(const struct frame *f, double v, char to[TEXT_NUMBER]) {
    if (!f->chart->percent) return text_number(v, to);
    // Three digits are enough of a share, and never round to all or nothing.
    v *= 100;
    text_trimmed(v, (v >= 99.95 && v < 100) || v < 9.995 ? 2 : 1, to);
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
    return text_width(text_fit(c->category[i], SVG_LARGE, NAME, name), SVG_LARGE);
}

// The lines that all names take if each is broken to fit under its bar; 0 if
// one cannot be.
static unsigned broken_lines(const struct chart *c, double pitch) {
    char line[NAME_LINES + 1][TEXT_LINE];
    unsigned most = 1;
    for (size_t i = 0; i < c->categories; i++) {
        unsigned n = text_wrap(c->category[i], SVG_LARGE, pitch - 6, NAME_LINES + 1, line);
        size_t length = 0;
        for (unsigned j = 0; j < n; j++) length += strlen(line[j]) + (j > 0);
        // What was cut or squeezed is no longer the name.
        if (n > NAME_LINES || length != strlen(c->category[i]) || (n && strstr(line[n - 1], "\xe2\x80\xa6"))) return 0;
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
    double foot = *frame_label(f, &c->x) ? LINE : 0, names = LINE;
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
            f->left = fmax(f->left, SVG_MARGIN + GAP + text_width(f->y_ticks.text[i], SVG_LARGE));
        if (c->kind == CHART_BARS) names = place_names(f);
    }
    f->x.from = f->left;
    f->x.to = f->right;
    if (c->kind == CHART_BARS) return;
    axis_ticks_beside(&f->x_ticks, &f->x, SVG_LARGE, 0, AXIS_PLAIN);
    // The last number must not reach beyond the picture.
    if (f->x_ticks.n) {
        unsigned last = f->x_ticks.n - 1;
        double reach = scale_at(&f->x, f->x_ticks.at[last]) + text_width(f->x_ticks.text[last], SVG_LARGE) / 2;
        f->x.to = f->right -= fmax(0, reach - (c->size.width - 4.0));
    }
}

int frame_init(struct frame *f, const struct chart *c) {
    *f = (struct frame){.chart = c};
    if (find_scales(f)) return -1;
    f->legend = SVG_MARGIN / 2.0 + svg_title_height(c->size.width, c->title) + (c->title ? 2 : 0);
    f->top = legend(f, NULL, f->legend) + (*frame_label(f, &c->y) ? LINE + 4 : GAP);
    f->values = 0;
    place_axes(f);
    if (c->kind == CHART_BARS && values_fit(f, (f->right - f->left) / (double)c->categories)) {
        f->values = 1;
        f->top += LINE - 4;
        place_axes(f);
    }
    if (f->right - f->left < LEAST || f->bottom - f->top < LEAST)
        return fail("%ux%u: too small for this chart", c->size.width, c->size.height);
    f->columns = c->size.width / CELL + 1;
    f->rows = c->size.height / CELL + 1;
    f->covered = calloc(f->columns, f->rows);
    return f->covered ? 0 : fail("memory: none for a chart");
}

void frame_free(struct frame *f) { free(f->covered); }

static double nearer(double v, unsigned size) { return fmin(fmax(v, -4.0 * size), 4.0 * size); }

double frame_x(const struct frame *f, double v) { return nearer(scale_at(&f->x, v), f->chart->size.width); }

double frame_y(const struct frame *f, double v) { return nearer(scale_at(&f->y, v), f->chart->size.height); }

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

static void draw_line(struct out *out, const char *class, double x1, double y1, double x2, double y2) {
    out_printf(out, "<path class=\"%s\" d=\"", class);
    svg_point(out, 'M', x1, y1);
    svg_point(out, 'L', x2, y2);
    out_printf(out, "\"/>\n");
}

static void draw_y_axis(const struct frame *f, struct out *out) {
    const struct ticks *t = &f->y_ticks;
    for (unsigned i = 0; i < t->minors; i++) {
        double y = scale_at(&f->y, t->minor[i]);
        draw_line(out, "faint", f->left, y, f->right, y);
    }
    for (unsigned i = 0; i < t->n; i++) {
        double y = scale_at(&f->y, t->at[i]);
        draw_line(out, "grid", f->left, y, f->right, y);
        out_printf(out, "<text class=\"soft end\" x=\"%.1f\" y=\"%.1f\" dy=\".35em\">", f->left - GAP, y);
        svg_escaped(out, t->text[i]);
        out_printf(out, "</text>\n");
    }
}

static void draw_x_ticks(const struct frame *f, struct out *out) {
    const struct ticks *t = &f->x_ticks;
    for (unsigned i = 0; i < t->minors; i++) {
        double x = scale_at(&f->x, t->minor[i]);
        draw_line(out, "axis", x, f->bottom, x, f->bottom + 3);
    }
    for (unsigned i = 0; i < t->n; i++) {
        double x = scale_at(&f->x, t->at[i]);
        if (f->chart->kind == CHART_POINTS) draw_line(out, "grid", x, f->top, x, f->bottom);
        draw_line(out, "axis", x, f->bottom, x, f->bottom + 5);
        svg_text(out, x, f->bottom + LINE - 2, "soft mid", t->text[i]);
    }
}

static void draw_slanted(const struct frame *f, struct out *out, size_t i, double x) {
    char name[TEXT_LINE];
    out_printf(out, "<text class=\"soft end\" transform=\"translate(%.1f %.1f) rotate(-35)\">", x + 5,
               f->bottom + 14);
    svg_escaped(out, text_fit(f->chart->category[i], SVG_LARGE, NAME, name));
    out_printf(out, "</text>\n");
}

static void draw_names(const struct frame *f, struct out *out) {
    const struct chart *c = f->chart;
    double pitch = (f->right - f->left) / (double)c->categories;
    for (size_t i = 0; i < c->categories; i += f->every) {
        char line[NAME_LINES][TEXT_LINE];
        double x = scale_at(&f->x, (double)i + 0.5);
        if (f->slanted) {
            draw_slanted(f, out, i, x);
            continue;
        }
        unsigned n = text_wrap(c->category[i], SVG_LARGE, pitch * (double)f->every - 6, NAME_LINES, line);
        svg_lines(out, x, f->bottom + LINE - 2, "soft mid", line, n);
    }
}

void frame_draw(const struct frame *f, struct out *out) {
    const struct chart *c = f->chart;
    char label[TEXT_LINE];
    double whole = c->size.width - 2.0 * SVG_MARGIN;
    svg_title(out, SVG_MARGIN / 2.0, c->size.width, c->title);
    legend(f, out, f->legend);
    text_fit(frame_label(f, &c->y), SVG_LARGE, whole, label);
    svg_text(out, SVG_MARGIN, f->top - 12 - (f->values ? LINE - 4 : 0), "soft", label);
    text_fit(frame_label(f, &c->x), SVG_LARGE, f->right - SVG_MARGIN, label);
    svg_text(out, f->right, c->size.height - SVG_MARGIN / 2.0 - 5, "soft end", label);
    draw_y_axis(f, out);
    if (c->kind == CHART_BARS)
        draw_names(f, out);
    else
        draw_x_ticks(f, out);
}

void frame_cover(struct frame *f, struct box b) {
    double left = fmax(b.x, 0), top = fmax(b.y, 0);
    for (double y = top; y <= b.y + b.height; y += CELL)
        for (double x = left; x <= b.x + b.width; x += CELL) {
            unsigned column = (unsigned)x / CELL, row = (unsigned)y / CELL;
            if (column < f->columns && row < f->rows) f->covered[row * f->columns + column] = 1;
        }
}

// How much of a box is covered, or beyond the data's place.
static unsigned cost(const struct frame *f, struct box b) {
    unsigned n = 0;
    if (b.x < f->left || b.x + b.width > f->right || b.y < f->top || b.y + b.height > f->bottom) n = 1000;
    for (double y = fmax(b.y, 0); y <= b.y + b.height; y += CELL)
        for (double x = fmax(b.x, 0); x <= b.x + b.width; x += CELL) {
            unsigned column = (unsigned)x / CELL, row = (unsigned)y / CELL;
            if (column < f->columns && row < f->rows) n += f->covered[row * f->columns + column];
        }
    return n;
}

// Puts a mark's label beside its line, where it hides least. The line is at y
// = at if it goes across, else at x = at.
static void place_label(struct frame *f, struct out *out, const char *text, double at, int across) {
    char label[TEXT_LINE];
    text_fit(text, SVG_LARGE, f->right - f->left - 12, label);
    struct box best = {0, 0, 0, 0};
    unsigned least = (unsigned)-1;
    double width = text_width(label, SVG_LARGE), height = SVG_LARGE * 1.15;
    for (int i = 0; i <= 6 && *label; i++)
        for (int side = 0; side < 2; side++) {
            double along = i / 6.0;
            struct box b = {0, 0, width, height};
            b.x = across ? f->right - 4 - width - along * (f->right - f->left - 8 - width)
                         : side ? at - 6 - width : at + 6;
            b.y = across ? (side ? at + 3 : at - 3 - height) : f->top + 2 + along * (f->bottom - f->top - 4 - height);
            unsigned n = cost(f, b);
            if (n < least) least = n, best = b;
        }
    if (!*label) return;
    svg_text(out, best.x + width / 2, best.y + height - 5, "ink halo mid", label);
    frame_cover(f, best);
}

// The pixel of a mark, NAN if it is not shown.
static double mark_at(const struct scale *s, const struct chart_mark *mark) {
    double at = scale_at(s, mark->at);
    return at < fmin(s->from, s->to) - 1 || at > fmax(s->from, s->to) + 1 ? NAN : at;
}

// Draws or labels the marks of an axis; across for those of y.
static void draw_marks(struct frame *f, struct out *out, int across, int label) {
    const struct chart_marks *marks = across ? &f->chart->y.marks : &f->chart->x.marks;
    for (unsigned i = 0; i < marks->n; i++) {
        double at = mark_at(across ? &f->y : &f->x, &marks->mark[i]);
        if (isnan(at)) continue;
        struct box b = {across ? f->left : at, across ? at : f->top, across ? f->right - f->left : 0,
                        across ? 0 : f->bottom - f->top};
        if (label) {
            place_label(f, out, marks->mark[i].label, at, across);
            continue;
        }
        draw_line(out, "mark", b.x, b.y, b.x + b.width, b.y + b.height);
        frame_cover(f, b);
    }
}

void frame_draw_marks(struct frame *f, struct out *out) {
    double base = !f->y.log && f->y.low < 0 && f->y.high > 0 ? scale_at(&f->y, 0) : f->bottom;
    draw_line(out, "axis", f->left, base, f->right, base);
    // All lines first: a label is not put on one that comes later.
    for (int label = 0; label < 2; label++)
        for (int across = 0; across < 2; across++) draw_marks(f, out, across, label);
}
