// SPDX-License-Identifier: MIT
#include "picture/axis.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double scale_at(const struct scale *s, double v) {
    double share = s->log ? (v > 0 ? (log(v) - log(s->low)) / (log(s->high) - log(s->low)) : 0)
                          : (v - s->low) / (s->high - s->low);
    return s->from + share * (s->to - s->from);
}

static void range_log(double *low, double *high, double room) {
    if (*low == *high) *low /= 2, *high *= 2;
    double wider = exp((log(*high) - log(*low)) * room);
    *low = fmax(*low / wider, DBL_MIN);
    *high = fmin(*high * wider, DBL_MAX / 1000);
}

void axis_range(double *low, double *high, int log, struct axis_wish wish) {
    if (log) {
        range_log(low, high, wish.room);
        return;
    }
    if (*low >= 0 && (wish.zero || *low < wish.near * *high)) *low = 0;
    if (*high <= 0 && (wish.zero || *high > wish.near * *low)) *high = 0;
    // One value alone, or so many digits that numbers cannot tell them apart.
    double size = fmax(fabs(*low), fabs(*high));
    if (*high - *low <= 1e-9 * size || size == 0) {
        double around = size > 0 ? size / 10 : 1;
        if (*low != 0) *low -= around;
        *high += around;
    }
    double wider = (*high - *low) * wish.room;
    if (*low != 0) *low -= wider;
    if (*high != 0) *high += wider;
}

double axis_round(double v) {
    double power = pow(10, floor(log10(v)));
    static const double step[] = {1, 2, 5, 10, 20};
    for (int i = 0; i < 4; i++)
        if (step[i] * power >= v * (1 - 1e-9)) return step[i] * power;
    return step[4] * power;
}

// Decimals that multiples of a step have.
static int decimals_of(double step) { return step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9); }

// The texts of ticks a step apart: in millions and the like if they are large,
// all in the same unit.
static void linear_texts(struct ticks *t, double step, enum axis_numbers numbers) {
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}};
    double most = fmax(fabs(t->at[0]), fabs(t->at[t->n - 1])), unit = 1;
    const char *name = "";
    if (numbers == AXIS_PERCENT) {
        unit = 0.01;
        name = "%";
    } else if (most < 1e15)
        for (int i = 2; i >= 0; i--)
            if (most >= units[i].unit && decimals_of(step / units[i].unit) <= 2)
                unit = units[i].unit, name = units[i].name;
    int power = most / unit >= 1e15 || (most > 0 && most / unit < 1e-3);
    int decimals = decimals_of(step / unit);
    if (power)
        decimals = (int)floor(log10(most / unit) + 1e-9) - (int)floor(log10(step / unit) + 1e-9);
    for (unsigned i = 0; i < t->n; i++) {
        char *to = t->text[i];
        (power ? text_power : text_grouped)(t->at[i] / unit, decimals, to);
        if (t->at[i] != 0) strncat(to, name, TEXT_NUMBER - strlen(to) - 1);
        if (t->at[i] == 0 && numbers == AXIS_PERCENT) snprintf(to, TEXT_NUMBER, "0%%");
        if (t->at[i] == 0 && numbers != AXIS_PERCENT) snprintf(to, TEXT_NUMBER, "0");
    }
}

static void ticks_linear(struct ticks *t, double low, double high, unsigned most, double least,
                         enum axis_numbers numbers) {
    double slack = (high - low) * 1e-9, step = axis_round(fmax((high - low) / (most + 1), least));
    // A step that gives too many ticks is followed by the next larger one.
    while (floor((high + slack) / step) - ceil((low - slack) / step) + 1 > most)
        step = axis_round(step * 1.01);
    // Division by a whole number keeps 0.3 from becoming 0.30000000000000004.
    double parts = round(1 / step);
    int divide = step < 1 && parts < 1e15;
    t->n = t->minors = 0;
    for (double i = ceil((low - slack) / step); i * step <= high + slack && t->n < AXIS_TICKS; i++)
        t->at[t->n++] = divide ? i / parts : i * step;
    if (t->n) linear_texts(t, step, numbers);
}

// Texts of ticks on a log scale: each in its own unit.
static void log_texts(struct ticks *t, enum axis_numbers numbers) {
    static const char *const names[] = {"", "k", "M", "G", "T"};
    double least = t->at[0], most = t->at[t->n - 1];
    double scale = numbers == AXIS_PERCENT ? 100 : 1;
    int power = most * scale >= 1e15 || least * scale < 1e-3;
    for (unsigned i = 0; i < t->n; i++) {
        double v = t->at[i] * scale;
        int thousands = most * scale >= 1e6 && v >= 1 ? (int)floor(log10(v) / 3 + 1e-9) : 0;
        if (power)
            text_power(v, 0, t->text[i]);
        else {
            v /= pow(1000, thousands);
            text_grouped(v, decimals_of(v), t->text[i]);
            strncat(t->text[i], names[thousands], 2);
        }
        if (numbers == AXIS_PERCENT) strncat(t->text[i], "%", 2);
    }
}

// Adds m times every stride-th power of ten within the scale, as ticks or
// as minor ones. -1 if they are too many.
static int add_powers(struct ticks *t, const struct scale *s, int stride, unsigned mantissas,
                      int minor) {
    int first = (int)floor(log10(s->low)), last = (int)floor(log10(s->high) + 1e-9);
    unsigned n = 0, most = minor ? AXIS_MINORS : AXIS_TICKS;
    double *at = minor ? t->minor : t->at;
    for (int e = first; e <= last; e++) {
        if (e % stride) continue;
        for (int m = 1; m < 10; m++) {
            // A power below 1 divides, so that 0.001 is exactly that.
            double v = e < 0 ? m / pow(10, -e) : m * pow(10, e);
            if (!(mantissas >> m & 1) || v < s->low * (1 - 1e-9) || v > s->high * (1 + 1e-9))
                continue;
            if (n == most) return -1;
            at[n++] = v;
        }
    }
    *(minor ? &t->minors : &t->n) = n;
    return 0;
}

static void ticks_log(struct ticks *t, const struct scale *s, unsigned most,
                      enum axis_numbers numbers) {
    enum { ONE = 1 << 1, THIRDS = 1 << 1 | 1 << 2 | 1 << 5, ALL = 0x3fc };
    static const int strides[] = {1, 2, 3, 5, 6, 10, 15, 20, 30, 50, 100, 200, 400};
    t->n = t->minors = 0;
    if (add_powers(t, s, 1, THIRDS, 0) || t->n > most) {
        for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++)
            if (add_powers(t, s, strides[i], ONE, 0) == 0 && t->n <= most) {
                if (add_powers(t, s, 1, strides[i] == 1 ? ALL : ONE, 1)) t->minors = 0;
                break;
            }
    } else if (add_powers(t, s, 1, ALL, 1))
        t->minors = 0;
    if (t->n >= 2 || s->high >= 10 * s->low)
        log_texts(t, numbers);
    else // less than a power of ten: round values as on a linear scale
        ticks_linear(t, s->low, s->high, most, 0, numbers);
}

void axis_ticks(struct ticks *t, const struct scale *s, unsigned most, double step,
                enum axis_numbers numbers) {
    if (most > AXIS_TICKS) most = AXIS_TICKS;
    if (most < 2) most = 2;
    if (s->log)
        ticks_log(t, s, most, numbers);
    else
        ticks_linear(t, s->low, s->high, most, step, numbers);
}

// Whether the texts keep a distance of one character at least.
static int stand_beside(const struct ticks *t, const struct scale *s, double size) {
    double before = -INFINITY;
    for (unsigned i = 0; i < t->n; i++) {
        double at = scale_at(s, t->at[i]), half = text_width(t->text[i], size) / 2;
        if (at - half < before + size) return 0;
        before = at + half;
    }
    return 1;
}

void axis_ticks_beside(struct ticks *t, const struct scale *s, double size, double step,
                       enum axis_numbers numbers) {
    for (unsigned most = 10; most >= 2; most--) {
        axis_ticks(t, s, most, step, numbers);
        if (stand_beside(t, s, size)) return;
    }
}
