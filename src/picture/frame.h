// SPDX-License-Identifier: MIT
// What stands around and behind a chart's data: titles, legend, axes, marks.
#ifndef PICTURE_FRAME_H
#define PICTURE_FRAME_H

#include "picture/axis.h"
#include "picture/chart.h"

enum {
    FRAME_LINE = 25,      // height of a line of text at its larger size
    FRAME_SAMPLE = 30,    // width of a legend's sample
    FRAME_GAP = 8,        // between an axis and its numbers
    FRAME_CELL = 6,       // of the map of what is covered
    FRAME_LEAST = 60,     // of data, in pixels
    FRAME_NAME = 150,     // longest slanted name of a category
    FRAME_NAME_LINES = 3, // of one that is not slanted
};

struct frame {
    const struct chart *chart;
    struct scale x, y;
    struct ticks x_ticks, y_ticks;
    double legend;                   // the y below which it begins
    double left, right, top, bottom; // of the data
    int slanted;                     // names of categories do not fit side by side,
    size_t every;                    // or only every second one or fewer
    int values;                      // values stand over the bars
    unsigned columns, rows;          // of covered
    unsigned char *covered;          // where something is drawn
};

// A rectangle on the picture.
struct box {
    double x, y, width, height;
};

extern const struct svg_rule frame_rules[];

// Finds a place for everything. 0, or -1 on failure.
int frame_init(struct frame *f, const struct chart *c);
void frame_free(struct frame *f);

// Draws what is behind the data, and the marks that go over them.
void frame_draw(const struct frame *f, struct out *out);
void frame_draw_marks(struct frame *f, struct out *out);

// The pixel of a value. What is far outside is brought nearer, where numbers
// keep their form.
double frame_x(const struct frame *f, double v);
double frame_y(const struct frame *f, double v);

// Remembers that something is drawn there, so that text goes elsewhere.
void frame_cover(struct frame *f, struct box b);

// The left and right end of a bar: of series i, at the point.
void frame_bar(const struct frame *f, unsigned i, const struct chart_point *p, double *left,
               double *right);

// Goes over the legend's entries, row by row, and draws them unless out is
// NULL. Returns the y below it.
double frame_legend(const struct frame *f, struct out *out, double y);

// What stands at an axis; "" if nothing does.
const char *frame_label(const struct frame *f, const struct chart_axis *axis);

// What a bar or its tip says.
const char *frame_value(const struct frame *f, double v, char to[TEXT_NUMBER]);

// The sample of a series, at its middle, as the legend shows it.
void marks_sample(const struct frame *f, struct out *out, unsigned i, double x, double y);

// Draws the data. 0, or -1 if there is no memory.
int marks_draw(struct frame *f, struct out *out);

#endif
