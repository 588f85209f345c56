// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "picture/frame.h"

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

static void draw_line(struct out *out, const char *class, double x1, double y1, double x2,
                      double y2) {
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
        out_printf(out, "<text class=\"soft end\" x=\"%.1f\" y=\"%.1f\" dy=\".35em\">",
                   f->left - FRAME_GAP, y);
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
        svg_text(out, x, f->bottom + FRAME_LINE - 2, "soft mid", t->text[i]);
    }
}

static void draw_slanted(const struct frame *f, struct out *out, size_t i, double x) {
    char name[TEXT_LINE];
    out_printf(out, "<text class=\"soft end\" transform=\"translate(%.1f %.1f) rotate(-35)\">",
               x + 5, f->bottom + 14);
    svg_escaped(out, text_fit(f->chart->category[i], SVG_LARGE, FRAME_NAME, name));
    out_printf(out, "</text>\n");
}

static void draw_names(const struct frame *f, struct out *out) {
    const struct chart *c = f->chart;
    double pitch = (f->right - f->left) / (double)c->categories;
    for (size_t i = 0; i < c->categories; i += f->every) {
        char line[FRAME_NAME_LINES][TEXT_LINE];
        double x = scale_at(&f->x, (double)i + 0.5);
        if (f->slanted) {
            draw_slanted(f, out, i, x);
            continue;
        }
        unsigned n =
            text_wrap(c->category[i], SVG_LARGE, pitch * (double)f->every - 6, FRAME_NAME_LINES, line);
        svg_lines(out, x, f->bottom + FRAME_LINE - 2, "soft mid", line, n);
    }
}

void frame_draw(const struct frame *f, struct out *out) {
    const struct chart *c = f->chart;
    char label[TEXT_LINE];
    double whole = c->size.width - 2.0 * SVG_MARGIN;
    svg_title(out, SVG_MARGIN / 2.0, c->size.width, c->title);
    frame_legend(f, out, f->legend);
    text_fit(frame_label(f, &c->y), SVG_LARGE, whole, label);
    svg_text(out, SVG_MARGIN, f->top - 12 - (f->values ? FRAME_LINE - 4 : 0), "soft", label);
    text_fit(frame_label(f, &c->x), SVG_LARGE, f->right - SVG_MARGIN, label);
    svg_text(out, f->right, c->size.height - SVG_MARGIN / 2.0 - 5, "soft end", label);
    draw_y_axis(f, out);
    if (c->kind == CHART_BARS)
        draw_names(f, out);
    else
        draw_x_ticks(f, out);
}

// Counts the covered cells of a box, after covering them all if asked to.
static unsigned count_cells(const struct frame *f, struct box b, int cover) {
    unsigned n = 0;
    for (double y = fmax(b.y, 0); y <= b.y + b.height; y += FRAME_CELL)
        for (double x = fmax(b.x, 0); x <= b.x + b.width; x += FRAME_CELL) {
            unsigned column = (unsigned)x / FRAME_CELL, row = (unsigned)y / FRAME_CELL;
            if (column >= f->columns || row >= f->rows) continue;
            unsigned char *cell = &f->covered[row * f->columns + column];
            if (cover) *cell = 1;
            n += *cell;
        }
    return n;
}

void frame_cover(struct frame *f, struct box b) { count_cells(f, b, 1); }

// How bad a place for text is: covered, or beyond the data's place.
static unsigned cost(const struct frame *f, struct box b) {
    int beyond = b.x < f->left || b.x + b.width > f->right || b.y < f->top ||
                 b.y + b.height > f->bottom;
    return count_cells(f, b, 0) + (beyond ? 1000 : 0);
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
                  : side ? at - 6 - width
                         : at + 6;
            b.y = across ? (side ? at + 3 : at - 3 - height)
                         : f->top + 2 + along * (f->bottom - f->top - 4 - height);
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
        struct box b = {across ? f->left : at, across ? at : f->top,
                        across ? f->right - f->left : 0, across ? 0 : f->bottom - f->top};
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
