// SPDX-License-Identifier: MIT
#include "picture/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"
#define MINUS "\xe2\x88\x92"

// Advance widths in hundredths of the size, from ' ' to '~', as Arial,
// Helvetica and their free likenesses have them.
static const unsigned char widths[] = {
    28, 28, 36, 56, 56, 89, 67, 20, 34, 34, 39, 59, 28, 34, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56,
    56, 56, 28, 28, 59, 59, 59, 56, 102, 67, 67, 73, 73, 67, 61, 78, 73, 28, 50, 67, 56, 84, 73, 78,
    67, 78, 73, 67, 61, 73, 67, 95, 67, 67, 61, 28, 28, 28, 47, 56, 34, 56, 56, 50, 56, 56, 28, 56,
    56, 23, 23, 50, 23, 84, 56, 56, 56, 56, 34, 50, 28, 56, 50, 73, 50, 50, 50, 34, 26, 34, 59};

// Continuation bytes that follow a first byte, and the smallest character that
// needs them; -1 for what cannot come first.
static int following(unsigned char c, uint32_t *least) {
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    int n = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : -1;
    if (n >= 0) *least = smallest[n];
    return n;
}

uint32_t text_next(const char **at) {
    enum { REPLACEMENT = 0xfffd };
    const unsigned char *s = (const unsigned char *)*at;
    if (*s == 0) return 0;
    uint32_t least = 0;
    int n = following(*s, &least);
    *at += 1;
    if (n < 0 || *s < ' ' || *s == 127) return REPLACEMENT;
    uint32_t c = n ? *s & (0x3fu >> n) : *s;
    for (int i = 1; i <= n; i++) {
        if (s[i] >> 6 != 2) return REPLACEMENT;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least || c > 0x10ffff || c >> 11 == 27 || (c & 0xfffe) == 0xfffe ||
        (c >= 0x80 && c < 0xa0))
        return REPLACEMENT;
    *at += n;
    return c;
}

static double width_of(uint32_t c) {
    if (c < 127) return widths[c - ' '];
    if (c >= 0x300 && c < 0x370) return 0;    // marks that stand over the letter before
    if (c >= 0x2070 && c < 0x20a0) return 36; // small raised and lowered digits
    return c >= 0x1100 && (c < 0x2000 || c >= 0x2600) ? 100 : c == 0x2026 || c == 0x2190 ? 100 : 60;
}

double text_width(const char *text, double size) {
    double sum = 0;
    for (uint32_t c; (c = text_next(&text));) sum += width_of(c);
    return sum * size / 100;
}

double text_width_bold(const char *text, double size) { return text_width(text, 1.08 * size); }

// The first n bytes of text and an ellipsis.
static void cut(const char *text, size_t n, char to[TEXT_LINE]) {
    snprintf(to, TEXT_LINE, "%.*s" ELLIPSIS, (int)n, text);
}

const char *text_fit(const char *text, double size, double width, char to[TEXT_LINE]) {
    enum { ROOM = TEXT_LINE - sizeof ELLIPSIS };
    if (strlen(text) <= ROOM && text_width(text, size) <= width)
        return snprintf(to, TEXT_LINE, "%s", text), to;
    size_t n = 0;
    double left = width - text_width(ELLIPSIS, size);
    for (const char *at = text; *at;) {
        left -= width_of(text_next(&at)) * size / 100;
        if (left < 0 || (size_t)(at - text) > ROOM) break;
        n = (size_t)(at - text);
    }
    cut(text, n, to);
    return to;
}

// How many bytes of the text, up to a space or the end, fit into the width;
// one word at least.
static size_t fitting(const char *text, double size, double width) {
    size_t n = 0;
    for (;;) {
        size_t next = n + strspn(text + n, " ");
        next += strcspn(text + next, " ");
        char part[TEXT_LINE];
        if (next == n || next >= sizeof part) return n ? n : next;
        snprintf(part, sizeof part, "%.*s", (int)next, text);
        if (n && text_width(part, size) > width) return n;
        n = next;
    }
}

unsigned text_wrap(const char *text, double size, double width, unsigned most,
                   char line[][TEXT_LINE]) {
    unsigned n = 0;
    text += strspn(text, " ");
    while (*text && n < most) {
        size_t take = n + 1 == most ? strlen(text) : fitting(text, size, width);
        char *part = strndup(text, take);
        text_fit(part ? part : "", size, width, line[n++]);
        free(part);
        text += take;
        text += strspn(text, " ");
    }
    return n;
}

const char *text_grouped(double v, int decimals, char to[TEXT_NUMBER]) {
    char plain[TEXT_NUMBER];
    int n = snprintf(plain, sizeof plain, "%.*f", decimals, fabs(v));
    if (n >= 40) return snprintf(to, TEXT_NUMBER, "%g", v), to;
    int zero = plain[strspn(plain, "0.")] == '\0'; // no -0
    int at = snprintf(to, TEXT_NUMBER, "%s", v < 0 && !zero ? MINUS : "");
    int whole = (int)strcspn(plain, ".");
    for (int i = 0; i < n; i++) {
        if (i && i < whole && (whole - i) % 3 == 0) to[at++] = ',';
        to[at++] = plain[i];
    }
    to[at] = '\0';
    return to;
}

const char *text_trimmed(double v, int decimals, char to[TEXT_NUMBER]) {
    char *end = to + strlen(text_grouped(v, decimals, to));
    if (!strchr(to, '.')) return to;
    while (end[-1] == '0') *--end = '\0';
    if (end[-1] == '.') *--end = '\0';
    return to;
}

const char *text_power(double v, int decimals, char to[TEXT_NUMBER]) {
    static const char *const raised[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    if (v == 0 || !isfinite(v)) return snprintf(to, TEXT_NUMBER, "%g", v), to;
    char digits[TEXT_NUMBER], power[24], exponent[TEXT_NUMBER] = "";
    snprintf(digits, sizeof digits, "%.*e", decimals, fabs(v));
    char *e = strchr(digits, 'e');
    *e = '\0';
    snprintf(power, sizeof power, "%ld", labs(strtol(e + 1, NULL, 10)));
    for (const char *c = power; *c; c++) strcat(exponent, raised[*c - '0']);
    int one = strcmp(digits, "1") == 0;
    snprintf(to, TEXT_NUMBER, "%s%.20s%s10%s%.20s", v < 0 ? MINUS : "", one ? "" : digits,
             one ? "" : "\xc2\xb7", e[1] == '-' ? "\xe2\x81\xbb" : "", exponent);
    return to;
}

const char *text_number(double v, char to[TEXT_NUMBER]) {
    double size = fabs(v);
    if (size != 0 && (size >= 1e15 || size < 1e-4)) return text_power(v, 2, to);
    if (v == floor(v)) return text_grouped(v, 0, to);
    int decimals = size >= 1000 ? 1 : 3 - (int)floor(log10(size));
    return text_trimmed(v, decimals, to);
}
