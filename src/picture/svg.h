// SPDX-License-Identifier: MIT
// What all pictures share: an SVG that is legible on light and dark pages, wide
// and narrow, alone and inside HTML.
//
// Failures to write stick to the output, so nothing here returns one: who
// closes the output is told.
#ifndef PICTURE_SVG_H
#define PICTURE_SVG_H

#include "picture/text.h"
#include "util/out.h"

// Text has the small size; on pages as narrow as a telephone, where pictures
// are shrunk, it has the large one. So every place for text must have room for
// the large size.
enum { SVG_SMALL = 13, SVG_LARGE = 18, SVG_MARGIN = 12, SVG_COLOURS = 8 };

// Titles are larger by this factor.
#define SVG_TITLE 1.2

struct svg_size {
    unsigned width, height;
};

// "WxH" in pixels, as --size takes it: 0, or -1 with the reason.
int svg_size_parse(const char *text, struct svg_size *to);

// A rule of the style sheet. dark may be NULL if it is the same.
struct svg_rule {
    const char *selector, *light, *dark;
};

// The first elements: size, title and description for those who cannot see it,
// style and background. rules may be NULL, and end with a NULL selector.
void svg_begin(struct out *out, struct svg_size size, const char *title, const char *description,
               const struct svg_rule *rules);
void svg_end(struct out *out);

// Text with the characters that XML reserves replaced.
void svg_escaped(struct out *out, const char *text);

// One line of text. Classes: ink, soft (its colour), mid, end (what of it is at
// x), title.
void svg_text(struct out *out, double x, double y, const char *classes, const char *text);

// Lines of text below one another, centred or not by their classes.
void svg_lines(struct out *out, double x, double y, const char *classes, char line[][TEXT_LINE],
               unsigned n);

// A title, line by line; returns the y below it.
double svg_title(struct out *out, double y, double width, const char *text);

// How much height svg_title takes.
double svg_title_height(double width, const char *text);

// A command of a path: a letter and a point.
void svg_point(struct out *out, char letter, double x, double y);

#endif
