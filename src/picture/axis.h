// SPDX-License-Identifier: MIT
// Axes: which range they show, where their ticks stand and what these say.
#ifndef PICTURE_AXIS_H
#define PICTURE_AXIS_H

#include "picture/text.h"

enum { AXIS_TICKS = 32, AXIS_MINORS = 128 };

enum axis_numbers { AXIS_PLAIN, AXIS_PERCENT };

// Values from low to high, drawn from pixel `from` to pixel `to`.
struct scale {
    int log;
    double low, high, from, to;
};

// The pixel of a value. On a log scale what has no logarithm is at the low end.
double scale_at(const struct scale *s, double v);

// Ticks of a scale in ascending order, with their texts; minors have none.
struct ticks {
    unsigned n, minors;
    double at[AXIS_TICKS], minor[AXIS_MINORS];
    char text[AXIS_TICKS][TEXT_NUMBER];
};

// How an axis begins and ends around the data.
struct axis_wish {
    int zero;    // it must begin (or end) at 0
    double near; // begin at 0 too if low is less than this share of high
    double room; // space beyond the data, as a share of the range
};

// Widens [*low, *high] of the data to what the axis shows. Values on a log
// scale are above 0.
void axis_range(double *low, double *high, int log, struct axis_wish wish);

// At most so many ticks (2 or more) at round values: on a linear scale a step
// of 1, 2 or 5 times a power of ten, and at least `step`; on a log scale powers
// of ten, with 2 and 5 between them if there is room.
void axis_ticks(struct ticks *t, const struct scale *s, unsigned most, double step,
                enum axis_numbers numbers);

// As many ticks as can stand side by side in text of this size.
void axis_ticks_beside(struct ticks *t, const struct scale *s, double size, double step,
                       enum axis_numbers numbers);

// The smallest of 1, 2, 5, 10, ... that is not below v; any power of ten before.
double axis_round(double v);

#endif
