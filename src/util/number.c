// SPDX-License-Identifier: MIT
#include "util/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

static int range_u64(uint64_t v, uint64_t low, uint64_t high, uint64_t *to) {
    if (v < low) return fail("must be at least %" PRIu64, low);
    if (v > high) return fail("must be at most %" PRIu64, high);
    *to = v;
    return 0;
}

// Reads digits only: no sign, no space, no empty text.
static int digits(const char *text, char **end, uint64_t *v) {
    if (*text < '0' || *text > '9') return fail("not a whole number");
    errno = 0;
    *v = strtoull(text, end, 10);
    return errno ? fail("number too large") : 0;
}

int number_u64(const char *text, uint64_t low, uint64_t high, uint64_t *to) {
    char *end;
    uint64_t v;
    if (digits(text, &end, &v)) return -1;
    return *end ? fail("not a whole number") : range_u64(v, low, high, to);
}

int number_size(const char *text, uint64_t low, uint64_t high, uint64_t *to) {
    char *end;
    uint64_t v;
    if (digits(text, &end, &v)) return -1;
    static const char units[] = "KMGT";
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (*end && (!unit || end[1])) return fail("not a size (a number and K, M, G or T)");
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (v > UINT64_MAX >> shift) return fail("number too large");
    return range_u64(v << shift, low, high, to);
}

int number_f64(const char *text, double low, double high, double *to) {
    char *end;
    double v = strtod(text, &end);
    int starts = (*text >= '0' && *text <= '9') || *text == '.' || *text == '-' || *text == '+';
    int decimal = text[strspn(text, "0123456789.eE+-")] == '\0'; // strtod takes hexadecimal too
    if (!starts || !decimal || *end || !isfinite(v)) return fail("not a number");
    if (v < low || v > high) return fail("must be between %g and %g", low, high);
    *to = v;
    return 0;
}

const char *number_text(double v, char to[NUMBER_TEXT]) {
    if (v == floor(v) && fabs(v) < 1e15) return snprintf(to, NUMBER_TEXT, "%.0f", v), to;
    for (int digit = 1; digit <= 17; digit++) {
        snprintf(to, NUMBER_TEXT, "%.*g", digit, v);
        if (strtod(to, NULL) == v) break;
    }
    return to;
}
