// SPDX-License-Identifier: MIT
#include "picture/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture/frame.h"
#include "util/fail.h"
#include "util/grow.h"

enum { MOST_CATEGORIES = 400 };

struct chart_series *chart_series(struct chart *c, const char *name) {
    for (unsigned i = 0; i < c->n; i++)
        if (strcmp(c->series[i].name, name) == 0) return &c->series[i];
    if (c->n == CHART_SERIES)
        return fail("'%s': more than %d series cannot be told apart", name, CHART_SERIES), NULL;
    struct chart_series *s = &c->series[c->n];
    s->name = strdup(name);
    if (!s->name) return fail("memory: none for a name"), NULL;
    c->n++;
    return s;
}

int chart_add(struct chart_series *s, struct chart_point p) {
    if (grow(&s->point, s->n, &s->room, sizeof *s->point)) return -1;
    s->point[s->n++] = p;
    return 0;
}

int chart_category(struct chart *c, const char *name) {
    for (size_t i = 0; i < c->categories; i++)
        if (strcmp(c->category[i], name) == 0) return (int)i;
    if (c->categories == MOST_CATEGORIES)
        return fail("more than %d bars: a line or a histogram would show them", MOST_CATEGORIES);
    if (grow(&c->category, c->categories, &c->category_room, sizeof *c->category)) return -1;
    char *copy = strdup(name);
    if (!copy) return fail("memory: none for a name");
    c->category[c->categories] = copy;
    return (int)c->categories++;
}

void chart_free(struct chart *c) {
    for (unsigned i = 0; i < c->n; i++) {
        free(c->series[i].name);
        free(c->series[i].point);
    }
    for (size_t i = 0; i < c->categories; i++) free(c->category[i]);
    free(c->category);
    free(c->edge);
    free(c->x.column);
    free(c->y.column);
}

// Adds to a text that has room for so many bytes; what does not fit is left out.
static void append(char *text, size_t size, const char *more) {
    strncat(text, more, size - strlen(text) - 1);
}

static void append_range(char *text, size_t size, const char *axis, const char *label,
                         const struct scale *s) {
    char low[TEXT_NUMBER], high[TEXT_NUMBER], part[2 * TEXT_LINE];
    snprintf(part, sizeof part, " %s axis: %.100s%sfrom %s to %s%s.", axis, label,
             *label ? ", " : "", text_number(s->low, low), text_number(s->high, high),
             s->log ? ", logarithmic" : "");
    append(text, size, part);
}

// What the chart shows, in words.
static void describe(const struct frame *f, char *text, size_t size) {
    static const char *const kinds[] = {"Line chart", "Points", "Bar chart", "Histogram"};
    const struct chart *c = f->chart;
    snprintf(text, size, "%s of ", kinds[c->kind]);
    for (unsigned i = 0; i < c->n; i++) {
        if (i) append(text, size, i + 1 == c->n ? " and " : ", ");
        append(text, size, c->series[i].name);
    }
    append(text, size, ".");
    if (c->kind == CHART_BARS) {
        append(text, size, " Bars: ");
        for (size_t i = 0; i < c->categories; i++) {
            if (i) append(text, size, ", ");
            append(text, size, c->category[i]);
        }
        append(text, size, ".");
    } else
        append_range(text, size, "Horizontal", frame_label(f, &c->x), &f->x);
    append_range(text, size, "Vertical", frame_label(f, &c->y), &f->y);
}

// A range that the caller chose hides what is beyond it: an element of its own
// cuts that off. (A clip path would need an id, and ids of several pictures on
// a page would meet.)
static void begin_data(const struct frame *f, struct out *out, int cut) {
    if (cut)
        out_printf(out,
                   "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" viewBox=\"%.1f %.1f "
                   "%.1f %.1f\">\n",
                   f->left, f->top, f->right - f->left, f->bottom - f->top, f->left, f->top,
                   f->right - f->left, f->bottom - f->top);
}

static int is_cut(const struct chart_axis *axis) { return !isnan(axis->low) || !isnan(axis->high); }

int chart_draw(struct chart *c, struct out *out) {
    struct frame f;
    char text[1000];
    if (frame_init(&f, c)) return -1;
    describe(&f, text, sizeof text);
    svg_begin(out, c->size, c->title ? c->title : text, text, frame_rules);
    frame_draw(&f, out);
    int cut = is_cut(&c->x) || is_cut(&c->y);
    begin_data(&f, out, cut);
    int bad = marks_draw(&f, out);
    if (cut) out_printf(out, "</svg>\n");
    frame_draw_marks(&f, out);
    svg_end(out);
    frame_free(&f);
    return bad;
}
