// SPDX-License-Identifier: MIT
#include "picture/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/fail.h"

enum { SPARSE = 40 }; // a line of at most so many points shows them

// Dots of eight shapes, about six pixels large, relative to their middle.
static const char *const shapes[SVG_COLOURS] = {
    "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "m-2.7-2.7h5.4v5.4h-5.4z",
    "m0-3.7l3.6 6h-7.2z",
    "m0-3.9l3.6 3.9l-3.6 3.9l-3.6-3.9z",
    "m0 3.7l3.6-6h-7.2z",
    "m-1.1-3.6h2.2v2.5h2.5v2.2h-2.5v2.5h-2.2v-2.5h-2.5v-2.2h2.5z",
    "m-3.3-3.3h6.6l-6.6 6.6h6.6z",
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0zm1.7 0a1.8 1.8 0 1 1 3.6 0a1.8 1.8 0 1 1-3.6 0z",
};

static int has_band(const struct chart_series *s) {
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->point[i].low)) return 1;
    return 0;
}

static int is_sparse(const struct chart_series *s) { return s->n <= SPARSE; }

void marks_sample(const struct frame *f, struct out *out, unsigned i, double x, double y) {
    const struct chart *c = f->chart;
    out_printf(out, "<g class=\"c%u\">", i);
    if (c->kind == CHART_BARS)
        out_printf(out, "<rect class=\"b%u\" x=\"%.1f\" y=\"%.1f\" width=\"18\" height=\"12\"/>",
                   i % 4, x - 9, y - 6);
    if (c->kind == CHART_HISTOGRAM || (c->kind == CHART_LINE && has_band(&c->series[i])))
        out_printf(out, "<path class=\"band\" d=\"M%.1f %.1fh30v14h-30z\"/>", x - 15, y - 7);
    if (c->kind == CHART_HISTOGRAM || c->kind == CHART_LINE)
        out_printf(out, "<path class=\"line d%u\" d=\"M%.1f %.1fh30\"/>", i, x - 15, y);
    if (c->kind == CHART_POINTS || (c->kind == CHART_LINE && is_sparse(&c->series[i])))
        out_printf(out, "<path class=\"dot\" d=\"M%.1f %.1f%s\"/>", x, y, shapes[i]);
    out_printf(out, "</g>\n");
}

// Points that share a column of half a pixel, reduced to what can be seen: the
// first, the lowest, the highest and the last, and the whole band.
struct column {
    double at; // the column, in half pixels
    double x, first, least, most, last, low, high;
};

static struct column column_of(const struct chart_point *p) {
    return (struct column){floor(p->x * 2), p->x, p->y, p->y, p->y, p->y, p->low, p->high};
}

// Pixels grow downwards: the upper edge of the band has the smaller y.
static void column_add(struct column *k, const struct chart_point *p) {
    k->least = fmin(k->least, p->y);
    k->most = fmax(k->most, p->y);
    k->last = p->y;
    k->low = fmax(k->low, p->low);
    k->high = fmin(k->high, p->high);
}

// A point as pixels.
static struct chart_point to_pixels(const struct frame *f, const struct chart_point *p) {
    struct chart_point at = {frame_x(f, p->x), frame_y(f, p->y), NAN, NAN};
    if (!isnan(p->low)) {
        at.low = frame_y(f, p->low);
        at.high = frame_y(f, p->high);
    }
    return at;
}

// A run of columns without a gap.
struct run {
    struct column *column;
    size_t n;
};

// The next run of a series from point *i on; its n is 0 at the end.
static struct run next_run(const struct frame *f, const struct chart_series *s, size_t *i,
                           struct column *room) {
    struct run r = {room, 0};
    while (*i < s->n && isnan(s->point[*i].y)) ++*i;
    for (; *i < s->n && !isnan(s->point[*i].y); ++*i) {
        struct chart_point p = to_pixels(f, &s->point[*i]);
        if (r.n == 0 || r.column[r.n - 1].at != floor(p.x * 2)) r.column[r.n++] = column_of(&p);
        column_add(&r.column[r.n - 1], &p);
    }
    return r;
}

// Covers the way between two points.
static void cover_way(struct frame *f, double x1, double y1, double x2, double y2) {
    int steps = 1 + (int)(fmax(fabs(x2 - x1), fabs(y2 - y1)) / 4);
    for (int i = 0; i <= steps; i++) {
        double t = (double)i / steps;
        frame_cover(f, (struct box){x1 + t * (x2 - x1) - 1, y1 + t * (y2 - y1) - 1, 2, 2});
    }
}

static void draw_band(const struct run *r, struct out *out) {
    size_t from = 0;
    while (from < r->n) {
        while (from < r->n && isnan(r->column[from].low)) from++;
        size_t to = from;
        while (to < r->n && !isnan(r->column[to].low)) to++;
        if (to == from) break;
        out_printf(out, "<path class=\"band\" d=\"");
        for (size_t i = from; i < to; i++)
            svg_point(out, i == from ? 'M' : 'L', r->column[i].x, r->column[i].high);
        for (size_t i = to; i-- > from;) svg_point(out, 'L', r->column[i].x, r->column[i].low);
        out_printf(out, "z\"/>\n");
        from = to;
    }
}

static void draw_path(struct frame *f, const struct run *r, struct out *out, unsigned number) {
    double x = r->column[0].x, y = r->column[0].first;
    out_printf(out, "<path class=\"line d%u\" d=\"", number);
    svg_point(out, 'M', x, y);
    for (size_t i = 0; i < r->n; i++) {
        const struct column *k = &r->column[i];
        double way[4] = {k->first, k->least, k->most, k->last};
        for (int j = 0; j < 4; j++) {
            if (k->x == x && way[j] == y) continue;
            svg_point(out, 'L', k->x, way[j]);
            cover_way(f, x, y, k->x, way[j]);
            x = k->x;
            y = way[j];
        }
    }
    out_printf(out, "\"/>\n");
}

static void draw_dot(struct frame *f, struct out *out, unsigned number, double x, double y) {
    svg_point(out, 'M', x, y);
    out_printf(out, "%s", shapes[number]);
    frame_cover(f, (struct box){x - 3, y - 3, 6, 6});
}

static void draw_series(struct frame *f, struct out *out, unsigned number, struct column *room) {
    const struct chart_series *s = &f->chart->series[number];
    size_t i = 0;
    for (struct run r; (r = next_run(f, s, &i, room)).n;) {
        draw_band(&r, out);
        draw_path(f, &r, out, number);
        if (is_sparse(s) || r.n == 1) {
            out_printf(out, "<path class=\"dot\" d=\"");
            for (size_t j = 0; j < r.n; j++)
                draw_dot(f, out, number, r.column[j].x, r.column[j].last);
            out_printf(out, "\"/>\n");
        }
    }
}

// Of many dots, those that fall on the same square of two pixels are drawn once:
// a dot hides its neighbours there anyway.
static void draw_cloud(struct frame *f, struct out *out, unsigned number, unsigned char *seen) {
    const struct chart_series *s = &f->chart->series[number];
    struct svg_size size = f->chart->size;
    out_printf(out, "<path class=\"%s\" d=\"", is_sparse(s) ? "dot" : "cloud");
    for (size_t i = 0; i < s->n; i++) {
        if (isnan(s->point[i].y)) continue;
        struct chart_point p = to_pixels(f, &s->point[i]);
        if (p.x < 0 || p.y < 0 || p.x >= size.width || p.y >= size.height) continue;
        size_t at = (size_t)(p.y / 2) * size.width + (size_t)(p.x / 2);
        if (seen[at] == number + 1 && !is_sparse(s)) continue;
        seen[at] = (unsigned char)(number + 1);
        draw_dot(f, out, number, p.x, p.y);
    }
    out_printf(out, "\"/>\n");
}

static double base_of(const struct frame *f) {
    return f->y.log || f->y.low > 0 ? f->bottom : f->y.high < 0 ? f->top : scale_at(&f->y, 0);
}

// What a bar says when somebody points at it.
static void draw_tip(const struct frame *f, struct out *out, const struct chart_series *s,
                     const struct chart_point *p) {
    const struct chart *c = f->chart;
    char from[TEXT_NUMBER], to[TEXT_NUMBER], value[TEXT_NUMBER], text[TEXT_LINE];
    size_t i = (size_t)p->x;
    frame_value(f, p->y, value);
    if (c->kind == CHART_HISTOGRAM)
        snprintf(text, sizeof text, "%s to %s: %s", text_number(c->edge[i], from),
                 text_number(c->edge[i + 1], to), value);
    else
        snprintf(text, sizeof text, "%.100s%s%.100s: %s", c->n > 1 ? s->name : "",
                 c->n > 1 ? ", " : "", c->category[i], value);
    out_printf(out, "<title>");
    svg_escaped(out, text);
    out_printf(out, "</title>");
}

static void draw_whisker(const struct frame *f, struct out *out, double x,
                         const struct chart_point *p) {
    struct chart_point at = to_pixels(f, p);
    if (isnan(at.low)) return;
    out_printf(out, "<path class=\"whisker\" d=\"M%.1f %.1fh6m-3 0V%.1fm-3 0h6\"/>\n", x - 3,
               at.high, fmin(at.low, f->bottom));
}

static void draw_bars(struct frame *f, struct out *out, unsigned number) {
    const struct chart *c = f->chart;
    const struct chart_series *s = &c->series[number];
    double base = base_of(f);
    for (size_t i = 0; i < s->n; i++) {
        const struct chart_point *p = &s->point[i];
        double left, right;
        char text[TEXT_NUMBER];
        if (isnan(p->y) || (f->y.log && p->y <= 0)) continue;
        frame_bar(f, number, p, &left, &right);
        double y = frame_y(f, p->y), top = fmin(y, base), height = fabs(y - base);
        double gap = c->kind == CHART_HISTOGRAM && right - left > 3 ? 0.5 : 0;
        frame_cover(f, (struct box){left, top, right - left, height});
        out_printf(out, "<rect class=\"b%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
                   number % 4, left + gap, top, right - left - 2 * gap, height);
        draw_tip(f, out, s, p);
        out_printf(out, "</rect>\n");
        draw_whisker(f, out, (left + right) / 2, p);
        if (f->values)
            svg_text(out, (left + right) / 2, top - 5, "ink mid", frame_value(f, p->y, text));
    }
}

static double top_of(const struct frame *f, const struct chart_point *p) {
    return f->y.log && p->y <= 0 ? f->bottom : frame_y(f, p->y);
}

// Several histograms are outlines over one another. The line leaves out what
// would lie on the axis.
static void draw_outline(struct frame *f, struct out *out, unsigned number, int line) {
    const struct chart_series *s = &f->chart->series[number];
    double x, y = f->bottom, left, right, top;
    frame_bar(f, number, &s->point[0], &x, &right);
    svg_point(out, 'M', x, y);
    for (size_t i = 0; i < s->n; i++, x = right, y = top) {
        frame_bar(f, number, &s->point[i], &left, &right);
        top = top_of(f, &s->point[i]);
        if (top != y) svg_point(out, 'L', left, top);
        svg_point(out, line && top == f->bottom ? 'M' : 'L', right, top);
        cover_way(f, x, y, left, top);
        cover_way(f, left, top, right, top);
    }
    if (y != f->bottom) svg_point(out, 'L', x, f->bottom);
}

static void draw_outlines(struct frame *f, struct out *out, unsigned number) {
    out_printf(out, "<path class=\"band\" d=\"");
    draw_outline(f, out, number, 0);
    out_printf(out, "\"/>\n<path class=\"line d%u\" d=\"", number);
    draw_outline(f, out, number, 1);
    out_printf(out, "\"/>\n");
}

int marks_draw(struct frame *f, struct out *out) {
    const struct chart *c = f->chart;
    size_t most = 1;
    for (unsigned i = 0; i < c->n; i++) most = c->series[i].n > most ? c->series[i].n : most;
    struct column *room = NULL;
    unsigned char *seen = NULL;
    if (c->kind == CHART_LINE && !(room = fail_alloc(most, sizeof *room))) return -1;
    if (c->kind == CHART_POINTS && !(seen = calloc(c->size.width, c->size.height)))
        return fail("memory: none for a chart");
    for (unsigned i = 0; i < c->n; i++) {
        out_printf(out, "<g class=\"c%u\">\n", i);
        if (c->kind == CHART_LINE)
            draw_series(f, out, i, room);
        else if (c->kind == CHART_POINTS)
            draw_cloud(f, out, i, seen);
        else if (c->kind == CHART_HISTOGRAM && c->n > 1)
            draw_outlines(f, out, i);
        else
            draw_bars(f, out, i);
        out_printf(out, "</g>\n");
    }
    free(room);
    free(seen);
    return 0;
}
