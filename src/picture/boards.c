// SPDX-License-Identifier: MIT
#include "picture/boards.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"
#include "util/grow.h"

enum { LINE = 23, BETWEEN = 20, WIDE = 760, LARGEST = 60000 };

// Tiles go from grey through orange and yellow, where most games end, to green,
// blue and violet; each has its own colour for the number on it.
const struct svg_rule boards_rules[] = {
    {".board", "fill:#c4bdb2", "fill:#262d34"},
    {".t0", "fill:#d9d3c9", "fill:#1b2026"},
    {".fresh", "fill:none;stroke:#1c2126;stroke-width:2", "stroke:#e9eef3"},
    {".tile", "font-weight:700;text-anchor:middle", NULL},
    {".t1", "fill:#f1ebe1", "fill:#3d444c"},  {".n1", "fill:#4f463d", "fill:#e9eef3"},
    {".t2", "fill:#eedcb4", "fill:#57513f"},  {".n2", "fill:#4f463d", "fill:#f4ecd6"},
    {".t3", "fill:#f5b97c", NULL},            {".n3", "fill:#3a240f", NULL},
    {".t4", "fill:#f1995a", NULL},            {".n4", "fill:#321b08", NULL},
    {".t5", "fill:#e8743b", NULL},            {".n5", "fill:#240f02", NULL},
    {".t6", "fill:#c7421c", NULL},            {".n6", "fill:#fff", NULL},
    {".t7", "fill:#f7e6a1", NULL},            {".n7", "fill:#3d3000", NULL},
    {".t8", "fill:#f3d767", NULL},            {".n8", "fill:#362b00", NULL},
    {".t9", "fill:#ecc435", NULL},            {".n9", "fill:#2e2400", NULL},
    {".t10", "fill:#dca80d", NULL},           {".n10", "fill:#281f00", NULL},
    {".t11", "fill:#bd8a00", NULL},           {".n11", "fill:#1c1500", NULL},
    {".t12", "fill:#9fd16c", NULL},           {".n12", "fill:#1a2f08", NULL},
    {".t13", "fill:#55a84a", NULL},           {".n13", "fill:#071a04", NULL},
    {".t14", "fill:#1d7a66", NULL},           {".n14", "fill:#fff", NULL},
    {".t15", "fill:#1f6fb0", NULL},           {".n15", "fill:#fff", NULL},
    {".t16", "fill:#4b4fb8", NULL},           {".n16", "fill:#fff", NULL},
    {".t17", "fill:#7d2f9e", NULL},           {".n17", "fill:#fff", NULL},
    {NULL, NULL, NULL},
};

int boards_add(struct boards *b, const struct boards_item *item) {
    if (b->n == BOARDS_MOST) return fail("more than %d boards for one picture", BOARDS_MOST);
    if (grow(&b->item, b->n, &b->room, sizeof *item)) return -1;
    b->item[b->n++] = *item;
    return 0;
}

void boards_free(struct boards *b) { free(b->item); }

// Where everything is; all boards get the place that the largest one needs.
struct layout {
    unsigned columns;
    double gap, width, height;          // between tiles; of a board
    double left, top, pitch_x, pitch_y; // of the first board; from one to the next
    struct svg_size size;
};

static double length_of(const struct boards *b, unsigned tiles) {
    return tiles * b->tile + (tiles + 1) * round(b->tile / 11.0);
}

static unsigned captions_of(const struct boards_item *item) {
    unsigned n = 0;
    for (unsigned i = 0; i < BOARDS_CAPTIONS; i++)
        if (*item->caption[i]) n = i + 1;
    return n;
}

// Three in a row can be read on a telephone, too.
static unsigned columns_for(const struct boards *b, double width) {
    if (b->columns) return b->columns < b->n ? b->columns : (unsigned)b->n;
    unsigned most = b->n < 3 ? (unsigned)b->n : b->n == 4 ? 2 : 3;
    while (most > 1 && most * (width + BETWEEN) > WIDE) most--;
    return most;
}

static int find_layout(const struct boards *b, struct layout *l) {
    unsigned rows = 0, cols = 0, captions = 0;
    for (size_t i = 0; i < b->n; i++) {
        const struct boards_item *item = &b->item[i];
        rows = item->rows > rows ? item->rows : rows;
        cols = item->cols > cols ? item->cols : cols;
        captions = captions_of(item) > captions ? captions_of(item) : captions;
    }
    l->gap = round(b->tile / 11.0);
    l->width = length_of(b, cols);
    l->height = length_of(b, rows);
    l->columns = columns_for(b, l->width);
    l->pitch_x = l->width + BETWEEN;
    l->pitch_y = l->height + captions * LINE + BETWEEN;
    size_t down = (b->n + l->columns - 1) / l->columns;
    double width = l->columns * l->pitch_x - BETWEEN + 2 * SVG_MARGIN;
    double title = svg_title_height(width, b->title);
    l->left = SVG_MARGIN;
    l->top = SVG_MARGIN + title;
    double height = l->top + (double)down * l->pitch_y - BETWEEN + SVG_MARGIN;
    if (width > LARGEST || height > LARGEST)
        return fail("%.0fx%.0f pixels: more boards than a picture can show", width, height);
    l->size = (struct svg_size){(unsigned)width, (unsigned)height};
    return 0;
}

static void draw_rect(struct out *out, const char *class, double x, double y, double width,
                      double height, double corner) {
    out_printf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" ", class, x, y);
    out_printf(out, "width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>\n", width, height, corner);
}

static void draw_tile(const struct boards *b, struct out *out, double x, double y, unsigned e,
                      int fresh) {
    // The size of the digits, as a share of the tile's.
    static const double shares[] = {0, 0.46, 0.46, 0.4, 0.34, 0.28, 0.24};
    char class[16];
    snprintf(class, sizeof class, "t%u", e);
    draw_rect(out, class, x, y, b->tile, b->tile, b->tile / 14.0);
    if (fresh) draw_rect(out, "fresh", x, y, b->tile, b->tile, b->tile / 14.0);
    if (e == 0) return;
    char number[16];
    int digits = snprintf(number, sizeof number, "%lu", 1ul << e);
    double size = shares[digits] * b->tile;
    out_printf(out, "<text class=\"tile n%u\" x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">%s</text>\n",
               e, x + b->tile / 2.0, y + b->tile / 2.0 + 0.36 * size, size, number);
}

// What is said about a board to those who cannot see it.
static void draw_words(const struct boards_item *item, struct out *out) {
    out_printf(out, "<title>");
    for (unsigned i = 0; i < captions_of(item); i++) {
        svg_escaped(out, item->caption[i]);
        out_printf(out, i + 1 == captions_of(item) ? ": " : ", ");
    }
    for (unsigned i = 0; i < item->rows * item->cols; i++) {
        unsigned e = board_cell(item->board, i);
        out_printf(out, "%s%lu", i == 0 ? "" : i % item->cols ? " " : " / ", e ? 1ul << e : 0);
    }
    out_printf(out, "</title>\n");
}

static void draw_item(const struct boards *b, const struct layout *l, struct out *out, size_t i) {
    const struct boards_item *item = &b->item[i];
    double left = l->left + (double)(i % l->columns) * l->pitch_x;
    double top = l->top + (double)(i / l->columns) * l->pitch_y;
    double width = length_of(b, item->cols), height = length_of(b, item->rows);
    out_printf(out, "<g>");
    draw_words(item, out);
    draw_rect(out, "board", left, top, width, height, b->tile / 10.0);
    for (unsigned cell = 0; cell < item->rows * item->cols; cell++) {
        double x = left + l->gap + cell % item->cols * (b->tile + l->gap);
        double y = top + l->gap + cell / item->cols * (b->tile + l->gap);
        draw_tile(b, out, x, y, board_cell(item->board, cell), (int)cell == item->fresh);
    }
    for (unsigned line = 0; line < BOARDS_CAPTIONS; line++) {
        char text[TEXT_LINE];
        if (!*item->caption[line]) continue;
        text_fit(item->caption[line], SVG_LARGE, l->width + BETWEEN - 6, text);
        svg_text(out, left, top + height + (line + 1) * LINE - 4, line ? "soft" : "ink", text);
    }
    out_printf(out, "</g>\n");
}

int boards_draw(const struct boards *b, struct out *out) {
    struct layout l;
    char description[TEXT_LINE];
    if (b->n == 0) return fail("no boards");
    if (find_layout(b, &l)) return -1;
    snprintf(description, sizeof description, "%zu board%s of 2048, row by row", b->n,
             b->n == 1 ? "" : "s");
    svg_begin(out, l.size, b->title ? b->title : description, description, boards_rules);
    svg_title(out, SVG_MARGIN / 2.0, l.size.width, b->title);
    for (size_t i = 0; i < b->n; i++) draw_item(b, &l, out, i);
    svg_end(out);
    return 0;
}
