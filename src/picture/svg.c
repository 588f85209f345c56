// SPDX-License-Identifier: MIT
#include "picture/svg.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"
#include "util/number.h"

enum { TITLE_LINES = 3, SMALLEST = 160, LARGEST = 4000, NARROW = 480 };

// The height of a line of a title.
#define TITLE_PITCH (1.25 * SVG_TITLE * SVG_LARGE)

// All rules begin with the picture's class: inside HTML a style sheet reaches
// the whole page. For the same reason no element has an id.
#define CLASS "pipe2048"

static const struct svg_rule shared[] = {
    {".paper", "fill:#fff", "fill:#14181d"},
    {".ink", "fill:#1c2126", "fill:#e9eef3"},
    {".soft", "fill:#4d565f", "fill:#b4bec8"},
    {".mid", "text-anchor:middle", NULL},
    {".end", "text-anchor:end", NULL},
    {".title", "font-size:1.2em;font-weight:600", NULL},
    {NULL, NULL, NULL},
};

int svg_size_parse(const char *text, struct svg_size *to) {
    char width[8];
    uint64_t w, h;
    size_t n = strcspn(text, "x");
    if (text[n] != 'x' || n >= sizeof width) return fail("not a size, such as 640x400");
    memcpy(width, text, n);
    width[n] = '\0';
    if (number_u64(width, SMALLEST, LARGEST, &w) || number_u64(text + n + 1, SMALLEST, LARGEST, &h))
        return -1;
    *to = (struct svg_size){(unsigned)w, (unsigned)h};
    return 0;
}

static void write_rules(struct out *out, const struct svg_rule *rules, int dark) {
    for (; rules && rules->selector; rules++) {
        const char *content = dark ? rules->dark : rules->light;
        if (content) out_printf(out, "." CLASS " %s{%s}\n", rules->selector, content);
    }
}

static void write_style(struct out *out, const struct svg_rule *rules) {
    out_printf(out,
               "<style>\n." CLASS "{max-width:100%%;height:auto;font:%dpx Arial,Helvetica,"
               "\"Liberation Sans\",sans-serif;font-variant-numeric:tabular-nums}\n",
               SVG_SMALL);
    write_rules(out, shared, 0);
    write_rules(out, rules, 0);
    out_printf(out, "@media (prefers-color-scheme:dark){\n");
    write_rules(out, shared, 1);
    write_rules(out, rules, 1);
    // Only what is wider than a telephone is shrunk there.
    out_printf(out, "}\n@media (max-width:%dpx){." CLASS ".wide{font-size:%dpx}}\n</style>\n",
               NARROW, SVG_LARGE);
}

static void write_element(struct out *out, const char *name, const char *content) {
    out_printf(out, "<%s>", name);
    svg_escaped(out, content);
    out_printf(out, "</%s>\n", name);
}

void svg_begin(struct out *out, struct svg_size size, const char *title, const char *description,
               const struct svg_rule *rules) {
    out_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" CLASS "%s\" viewBox=\"0 0 %u %u\" "
        "width=\"%u\" height=\"%u\" role=\"img\">\n",
        size.width > NARROW ? " wide" : "", size.width, size.height, size.width, size.height);
    write_element(out, "title", title);
    write_element(out, "desc", description);
    write_style(out, rules);
    out_printf(out, "<rect class=\"paper\" width=\"%u\" height=\"%u\" rx=\"6\"/>\n", size.width,
               size.height);
}

void svg_end(struct out *out) { out_printf(out, "</svg>\n"); }

void svg_escaped(struct out *out, const char *text) {
    while (*text) {
        const char *from = text;
        uint32_t c = text_next(&text);
        const char *entity = c == '&'      ? "&amp;"
                             : c == '<'    ? "&lt;"
                             : c == '>'    ? "&gt;"
                             : c == '"'    ? "&quot;"
                             : c == 0xfffd ? "\xef\xbf\xbd"
                                           : NULL;
        if (entity)
            out_write(out, entity, strlen(entity));
        else
            out_write(out, from, (size_t)(text - from));
    }
}

void svg_text(struct out *out, double x, double y, const char *classes, const char *text) {
    if (!*text) return;
    out_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", classes, x, y);
    svg_escaped(out, text);
    out_printf(out, "</text>\n");
}

void svg_lines(struct out *out, double x, double y, const char *classes, char line[][TEXT_LINE],
               unsigned n) {
    if (n == 0) return;
    out_printf(out, "<text class=\"%s\" y=\"%.1f\">", classes, y);
    for (unsigned i = 0; i < n; i++) {
        // The distance has the size of the text, whichever that is.
        out_printf(out, "<tspan x=\"%.1f\"%s>", x, i ? " dy=\"1.15em\"" : "");
        svg_escaped(out, line[i]);
        out_printf(out, "</tspan>");
    }
    out_printf(out, "</text>\n");
}

static unsigned title_lines(double width, const char *text, char line[TITLE_LINES][TEXT_LINE]) {
    // Half-bold letters are wider than the table's.
    return text ? text_wrap(text, 1.08 * SVG_TITLE * SVG_LARGE, width - 2 * SVG_MARGIN, TITLE_LINES,
                            line)
                : 0;
}

double svg_title_height(double width, const char *text) {
    char line[TITLE_LINES][TEXT_LINE];
    return title_lines(width, text, line) * TITLE_PITCH;
}

double svg_title(struct out *out, double y, double width, const char *text) {
    char line[TITLE_LINES][TEXT_LINE];
    unsigned n = title_lines(width, text, line);
    svg_lines(out, SVG_MARGIN, y + 0.9 * SVG_TITLE * SVG_LARGE, "ink title", line, n);
    return y + n * TITLE_PITCH;
}

void svg_point(struct out *out, char letter, double x, double y) {
    // One decimal is a tenth of a pixel; most points need no more bytes.
    out_printf(out, "%c%.1f %.1f", letter, x, y);
}
