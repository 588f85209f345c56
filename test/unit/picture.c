// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "picture/axis.h"
#include "picture/boards.h"
#include "picture/chart.h"
#include "picture/frame.h"
#include "picture/series.h"
#include "util/fail.h"
#include "xml.h"

static uint64_t state = 88172645463325252u;

static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

// Uniform in [low, high).
static double between(double low, double high) {
    return low + (high - low) * (double)(draw() >> 11) / 9007199254740992.0;
}

// Characters are told apart, and what is no UTF-8 is replaced.
static void characters(void) {
    static const struct {
        const char *text;
        uint32_t c[4];
    } known[] = {{"a", {'a'}},
                 {"\xc3\xa4z", {0xe4, 'z'}},
                 {"\xe2\x82\xac", {0x20ac}},
                 {"\xf0\x9f\x8e\xb2", {0x1f3b2}},
                 {"\xff", {0xfffd}},
                 {"\xc3", {0xfffd}},
                 {"\xe2\x82", {0xfffd, 0xfffd}},
                 {"\xc0\x80", {0xfffd, 0xfffd}},
                 {"\xed\xa0\x80", {0xfffd, 0xfffd, 0xfffd}},
                 {"\xef\xbf\xbf", {0xfffd, 0xfffd, 0xfffd}},
                 {"\xf4\x90\x80\x80", {0xfffd, 0xfffd, 0xfffd, 0xfffd}},
                 {"\x01\x7f\n", {0xfffd, 0xfffd, 0xfffd}},
                 {"\xc2\x85", {0xfffd, 0xfffd}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *at = known[i].text;
        for (int j = 0; j < 4 && known[i].c[j]; j++) {
            uint32_t c = text_next(&at);
            CHECK(c == known[i].c[j], "text %zu, character %d: %x", i, j, c);
        }
        CHECK(*at == '\0', "text %zu does not end", i);
    }
}

// Widths grow with the text and the size; digits are all as wide.
static void widths(void) {
    CHECK(text_width("", 13) == 0, "empty");
    CHECK(fabs(text_width("0123456789", 100) - 560) < 1e-9, "%g", text_width("0123456789", 100));
    CHECK(text_width("W", 10) > text_width("n", 10) && text_width("n", 10) > text_width("i", 10),
          "order");
    CHECK(fabs(text_width("abc", 26) - 2 * text_width("abc", 13)) < 1e-9, "size");
    CHECK(text_width("\xe6\xbc\xa2", 10) == 10, "wide letters");
    CHECK(text_width("a\xcc\x88", 10) == text_width("a", 10), "marks over a letter");
    for (int c = ' '; c < 127; c++) {
        char text[2] = {(char)c, 0};
        CHECK(text_width(text, 100) >= 20 && text_width(text, 100) <= 110, "'%c'", c);
    }
}

static void fitting(void) {
    static const char words[] = "one two three four five six seven eight nine ten";
    char line[4][TEXT_LINE], to[TEXT_LINE];
    for (double width = 40; width < 400; width += 7)
        for (unsigned most = 1; most <= 4; most++) {
            unsigned n = text_wrap(words, 13, width, most, line);
            CHECK(n >= 1 && n <= most, "%u lines", n);
            for (unsigned i = 0; i < n; i++)
                CHECK(text_width(line[i], 13) <= width, "'%s' is wider than %g", line[i], width);
        }
    CHECK(text_wrap("  a  b ", 13, 999, 3, line) == 1 && strcmp(line[0], "a  b ") == 0, "'%s'",
          line[0]);
    CHECK(text_wrap("", 13, 100, 3, line) == 0, "lines of nothing");
    CHECK(text_wrap("a b", 13, 9, 3, line) == 2 && strcmp(line[1], "b") == 0, "a word a line");
    CHECK(strcmp(text_fit("short", 13, 100, to), "short") == 0, "%s", to);
    CHECK(strcmp(text_fit("a long text", 13, 48, to), "a lon\xe2\x80\xa6") == 0, "%s", to);
    CHECK(strcmp(text_fit("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", 10, 18, to),
                 "\xc3\xa4\xe2\x80\xa6") == 0,
          "%s", to);
    static char longest[5000];
    memset(longest, 'i', sizeof longest - 1);
    CHECK(strlen(text_fit(longest, 1, 1e9, to)) < TEXT_LINE, "%zu", strlen(to));
    CHECK(text_wrap(longest, 1, 1e9, 4, line) == 1 && strlen(line[0]) < TEXT_LINE,
          "a very long word");
}

static void numbers(void) {
    static const struct {
        double v;
        const char *text;
    } known[] = {{0, "0"},
                 {7, "7"},
                 {999, "999"},
                 {1000, "1,000"},
                 {-1234567, "\xe2\x88\x92"
                            "1,234,567"},
                 {123456789012, "123,456,789,012"},
                 {2642.600313610816, "2,642.6"},
                 {0.501, "0.501"},
                 {0.0123456, "0.01235"},
                 {99.951, "99.95"},
                 {100.04, "100"},
                 {1e15, "10\xc2\xb9\xe2\x81\xb5"},
                 {1.5e-7, "1.50\xc2\xb7"
                          "10\xe2\x81\xbb\xe2\x81\xb7"}};
    char to[TEXT_NUMBER];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        // A power of ten keeps its mantissa's decimals, but for 1.
        text_number(known[i].v, to);
        if (known[i].v == 1e15) text_power(1e15, 0, to);
        CHECK(strcmp(to, known[i].text) == 0, "%g is '%s', not '%s'", known[i].v, to,
              known[i].text);
    }
    CHECK(strcmp(text_grouped(-0.001, 1, to), "0.0") == 0, "%s", to);
    CHECK(strcmp(text_grouped(1234.5678, 2, to), "1,234.57") == 0, "%s", to);
    CHECK(strcmp(text_power(-2e-5, 0, to), "\xe2\x88\x92"
                                           "2\xc2\xb7"
                                           "10\xe2\x81\xbb\xe2\x81\xb5") == 0,
          "%s", to);
    for (int i = 0; i < 10000; i++) {
        double v = between(-1, 1) * pow(10, between(-300, 300));
        CHECK(strlen(text_number(v, to)) < TEXT_NUMBER - 8, "%g: %s", v, to);
    }
}

static void check_texts(const struct ticks *t, double low, double high) {
    for (unsigned i = 0; i < t->n; i++) {
        CHECK(*t->text[i] && strlen(t->text[i]) < 30, "%g..%g: '%s'", low, high, t->text[i]);
        if (i) CHECK(t->at[i] > t->at[i - 1], "%g..%g: not ascending", low, high);
        if (i)
            CHECK(strcmp(t->text[i], t->text[i - 1]), "%g..%g: twice '%s'", low, high, t->text[i]);
    }
}

// Whether v is 1, 2 or 5 times a power of ten.
static int round_step(double v) {
    double m = v / pow(10, floor(log10(v) + 1e-9));
    return fabs(m - 1) < 1e-6 || fabs(m - 2) < 1e-6 || fabs(m - 5) < 1e-6 || fabs(m - 10) < 1e-6;
}

static void ticks_linear(void) {
    struct ticks t;
    axis_ticks(&t, &(struct scale){0, 0, 4213, 0, 1}, 6, 0, AXIS_PLAIN);
    CHECK(t.n == 5 && t.at[4] == 4000 && strcmp(t.text[1], "1,000") == 0, "%u %s", t.n, t.text[1]);
    axis_ticks(&t, &(struct scale){0, 0, 22.6e6, 0, 1}, 5, 0, AXIS_PLAIN);
    CHECK(t.n == 5 && strcmp(t.text[1], "5M") == 0 && strcmp(t.text[0], "0") == 0, "%u %s", t.n,
          t.text[1]);
    axis_ticks(&t, &(struct scale){0, 0, 1, 0, 1}, 6, 0, AXIS_PERCENT);
    CHECK(t.n == 6 && strcmp(t.text[1], "20%") == 0 && strcmp(t.text[0], "0%") == 0, "%u %s", t.n,
          t.text[1]);
    axis_ticks(&t, &(struct scale){0, 0, 0.35, 0, 1}, 4, 0, AXIS_PLAIN);
    CHECK(t.n == 4 && t.at[3] == 0.3 && strcmp(t.text[3], "0.3") == 0, "%.17g", t.at[3]);
    axis_ticks(&t, &(struct scale){0, 0, 3, 0, 1}, 9, 1, AXIS_PLAIN);
    CHECK(t.n == 4, "steps of a count are whole: %u ticks", t.n);
    axis_ticks(&t, &(struct scale){0, -2.5e9, 2.5e9, 0, 1}, 6, 0, AXIS_PLAIN);
    CHECK(strcmp(t.text[0], "\xe2\x88\x92"
                            "2G") == 0,
          "%s", t.text[0]);
    for (int i = 0; i < 20000; i++) {
        double size = pow(10, between(-12, 12)), low = between(-1, 1) * size,
               high = low + between(0.001, 1) * size;
        unsigned most = 2 + (unsigned)(draw() % 10);
        axis_ticks(&t, &(struct scale){0, low, high, 0, 1}, most, 0,
                   i % 3 ? AXIS_PLAIN : AXIS_PERCENT);
        CHECK(t.n <= most && (most < 5 || t.n >= 2), "%g..%g: %u ticks of %u", low, high, t.n,
              most);
        for (unsigned k = 0; k < t.n; k++)
            CHECK(t.at[k] >= low - 1e-8 * size && t.at[k] <= high + 1e-8 * size,
                  "%g..%g: tick at %g", low, high, t.at[k]);
        if (t.n > 1)
            CHECK(round_step(t.at[1] - t.at[0]), "%g..%g: steps of %g", low, high,
                  t.at[1] - t.at[0]);
        check_texts(&t, low, high);
    }
}

static void ticks_log(void) {
    struct ticks t;
    axis_ticks(&t, &(struct scale){1, 0.9, 2.2e6, 0, 1}, 8, 0, AXIS_PLAIN);
    CHECK(t.n == 7 && t.at[0] == 1 && strcmp(t.text[6], "1M") == 0 && strcmp(t.text[3], "1k") == 0,
          "%u %s", t.n, t.text[6]);
    CHECK(t.minors >= 8 * 6, "%u minors", t.minors);
    axis_ticks(&t, &(struct scale){1, 1, 20000, 0, 1}, 6, 0, AXIS_PLAIN);
    CHECK(t.n == 5 && strcmp(t.text[4], "10,000") == 0, "%u %s", t.n, t.text[4]);
    axis_ticks(&t, &(struct scale){1, 3, 40, 0, 1}, 6, 0, AXIS_PLAIN);
    CHECK(t.n == 3 && t.at[0] == 5 && t.at[1] == 10 && t.at[2] == 20, "%u", t.n);
    axis_ticks(&t, &(struct scale){1, 0.0011, 1, 0, 1}, 6, 0, AXIS_PERCENT);
    CHECK(strcmp(t.text[t.n - 1], "100%") == 0 && strcmp(t.text[0], "1%") == 0, "%s", t.text[0]);
    axis_ticks(&t, &(struct scale){1, 1e-300, 1e300, 0, 1}, 6, 0, AXIS_PLAIN);
    CHECK(t.n >= 2 && t.n <= 6 && strncmp(t.text[0], "10", 2) == 0, "%u %s", t.n, t.text[0]);
    for (int i = 0; i < 20000; i++) {
        double low = pow(10, between(-15, 15)), high = low * pow(10, between(0.01, 20));
        unsigned most = 2 + (unsigned)(draw() % 10);
        axis_ticks(&t, &(struct scale){1, low, high, 0, 1}, most, 0,
                   i % 3 ? AXIS_PLAIN : AXIS_PERCENT);
        CHECK(t.n <= most, "%g..%g: %u ticks of %u", low, high, t.n, most);
        CHECK(t.n >= 1 || most < 4, "%g..%g: no tick", low, high);
        for (unsigned k = 0; k < t.n; k++)
            CHECK(t.at[k] >= low * (1 - 1e-6) && t.at[k] <= high * (1 + 1e-6), "%g..%g: %g", low,
                  high, t.at[k]);
        check_texts(&t, low, high);
    }
}

// Texts of ticks that stand side by side do not touch.
static void ticks_beside(void) {
    struct ticks t;
    for (int i = 0; i < 20000; i++) {
        int log = i % 2;
        double size = pow(10, between(-9, 14)), low = log ? size : between(-1, 1) * size;
        double high = log ? low * pow(10, between(0.1, 12)) : low + between(0.01, 1) * size;
        struct scale s = {log, low, high, 50, between(200, 1200)};
        axis_ticks_beside(&t, &s, 18, 0, AXIS_PLAIN);
        check_texts(&t, low, high);
        if (t.n < 3) continue; // two are shown whatever happens
        for (unsigned k = 1; k < t.n; k++) {
            double gap = scale_at(&s, t.at[k]) - text_width(t.text[k], 18) / 2 -
                         (scale_at(&s, t.at[k - 1]) + text_width(t.text[k - 1], 18) / 2);
            CHECK(gap >= 5, "%g..%g: '%s' and '%s' are %g apart", low, high, t.text[k - 1],
                  t.text[k], gap);
        }
    }
}

static void ranges(void) {
    static const struct {
        double low, high, zero, near, room, want_low, want_high;
    } known[] = {{1050, 4014, 0, 0.5, 0, 0, 4014}, {3000, 4000, 0, 0.5, 0, 3000, 4000},
                 {3000, 4000, 1, 0, 0, 0, 4000},   {-5, 10, 1, 0, 0, -5, 10},
                 {-10, -8, 1, 0, 0, -10, 0},       {-10, -1, 0, 0.5, 0, -10, 0},
                 {0, 100, 0, 0, 0.05, 0, 105},     {0, 0, 0, 0, 0, 0, 1},
                 {7, 7, 0, 0, 0, 6.3, 7.7},        {100, 200, 0, 0.1, 0.1, 90, 210}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double low = known[i].low, high = known[i].high;
        axis_range(&low, &high, 0,
                   (struct axis_wish){known[i].zero != 0, known[i].near, known[i].room});
        CHECK(fabs(low - known[i].want_low) < 1e-9 && fabs(high - known[i].want_high) < 1e-9,
              "range %zu: %g..%g", i, low, high);
    }
    double low = 10, high = 10;
    axis_range(&low, &high, 1, (struct axis_wish){.room = 0});
    CHECK(low > 0 && low < 10 && high > 10, "one value on a log axis: %g..%g", low, high);
    low = 1, high = 100;
    axis_range(&low, &high, 1, (struct axis_wish){.room = 0.5});
    CHECK(fabs(low - 0.1) < 1e-9 && fabs(high - 1000) < 1e-6, "%g..%g", low, high);
}

static struct chart empty_chart(enum chart_kind kind) {
    return (struct chart){.kind = kind,
                          .size = {640, 400},
                          .x = {.low = NAN, .high = NAN},
                          .y = {.low = NAN, .high = NAN}};
}

static void add(struct chart *c, const char *name, double x, double y) {
    struct chart_series *s = chart_series(c, name);
    CHECK(s && chart_add(s, (struct chart_point){x, y, NAN, NAN}) == 0, "%s", fail_text());
}

// Every value is in the one bin where it belongs; bins begin at round values.
static void bins(void) {
    for (int i = 0; i < 300; i++) {
        struct chart c = empty_chart(CHART_HISTOGRAM);
        int whole = i % 2, n = 1 + (int)(draw() % 400);
        double size = pow(10, between(0, 6)), values[400];
        unsigned wanted = i % 5 ? 0 : 1 + (unsigned)(draw() % 30);
        c.x.log = i % 3 == 0 && !whole;
        for (int k = 0; k < n; k++) {
            values[k] = between(c.x.log ? 0.001 : -0.2, 1) * size;
            if (whole) values[k] = floor(values[k]);
            add(&c, "", values[k], NAN);
        }
        CHECK(chart_fill_bins(&c, wanted) == 0, "%s", fail_text());
        CHECK(c.bins >= 1 && c.bins <= 1000, "%zu bins", c.bins);
        double sum = 0;
        for (size_t k = 0; k < c.bins; k++) {
            double count = 0, low = c.edge[k], high = c.edge[k + 1];
            for (int j = 0; j < n; j++)
                count += values[j] >= low &&
                         (values[j] < high || (k + 1 == c.bins && values[j] == high));
            CHECK(c.series[0].point[k].y == count, "bin %zu has %g of %g", k,
                  c.series[0].point[k].y, count);
            if (whole && !wanted)
                CHECK(low == floor(low), "an edge at %g between whole numbers", low);
            sum += count;
        }
        CHECK(sum == n, "%g of %d values are in bins", sum, n);
        chart_free(&c);
    }
}

// Relative luminance and contrast as the WCAG define them.
static double luminance(const char *rule) {
    const char *hash = strchr(rule, '#');
    CHECK(hash, "%s: no colour", rule);
    char digits[7] = "";
    // #rgb is short for #rrggbb.
    if (isxdigit((unsigned char)hash[4]))
        snprintf(digits, sizeof digits, "%.6s", hash + 1);
    else
        for (int i = 0; i < 6; i++) digits[i] = hash[1 + i / 2];
    unsigned long v = strtoul(digits, NULL, 16);
    double sum = 0, part[3] = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; i++) {
        double c = (double)(v >> (16 - 8 * i) & 255) / 255;
        sum += part[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(const char *one, const char *two) {
    double a = luminance(one), b = luminance(two);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static const char *rule(const struct svg_rule *rules, const char *selector, int dark) {
    for (; rules->selector; rules++)
        if (strcmp(rules->selector, selector) == 0)
            return dark && rules->dark ? rules->dark : rules->light;
    CHECK(0, "no rule for %s", selector);
}

// Numbers can be read on their tiles, lines on their paper, in light and dark.
static void contrasts(void) {
    for (int dark = 0; dark < 2; dark++) {
        const char *paper = dark ? "#14181d" : "#fff";
        for (int i = 1; i <= MOST_EXPONENT; i++) {
            char tile[8], number[8];
            snprintf(tile, sizeof tile, ".t%d", i);
            snprintf(number, sizeof number, ".n%d", i);
            double c = contrast(rule(boards_rules, tile, dark), rule(boards_rules, number, dark));
            CHECK(c >= 4.5, "tile %d, dark %d: contrast %.2f", 1 << i, dark, c);
        }
        for (int i = 0; i < SVG_COLOURS; i++) {
            char series[8];
            snprintf(series, sizeof series, ".c%d", i);
            double c = contrast(rule(frame_rules, series, dark), paper);
            CHECK(c >= 3, "series %d, dark %d: contrast %.2f", i, dark, c);
        }
        CHECK(strstr(rule(frame_rules, ".halo", dark), paper),
              "the halo has another colour than the paper");
    }
}

// Draws a chart into a pipe that has room for all of it.
static char *picture(struct chart *c, int *status) {
    char path[32];
    int end[2];
    CHECK(pipe(end) == 0 && fcntl(end[1], F_SETPIPE_SZ, 1 << 20) >= 1 << 20, "no pipe");
    snprintf(path, sizeof path, "/dev/fd/%d", end[1]);
    struct out *out = out_open(path, OUT_TEXT);
    CHECK(out, "%s", fail_text());
    *status = chart_draw(c, out);
    CHECK(out_close(out) == 0, "%s", fail_text());
    close(end[1]);
    FILE *file = fdopen(end[0], "r");
    char *text = xml_read(file);
    fclose(file);
    return text;
}

// A number of any size, now and then an extreme one.
static double any_number(int positive) {
    static const double odd[] = {0, 1, -1, 1e300, -1e300, 1e-300, 0.1, 1e15, 1e6};
    double v = draw() % 4 ? between(-1, 1) * pow(10, between(-3, 9)) : odd[draw() % 9];
    return positive ? fabs(v) + 1e-300 : v;
}

// Whatever the numbers, names and options, a picture is well-formed XML with
// no number that is none, or there is a reason why not.
static void pictures(void) {
    static const char *const names[] = {
        "a", "<b> & \"c\"", "\xff\x01", "",
        "a name that is much longer than any place for it, and goes on and on"};
    int drawn = 0;
    for (int i = 0; i < 2000; i++) {
        struct chart c = empty_chart((enum chart_kind)(i % 4));
        c.x.log = c.kind != CHART_BARS && draw() % 3 == 0;
        c.y.log = draw() % 3 == 0;
        c.percent = draw() % 3 == 0;
        c.size = (struct svg_size){160 + (unsigned)(draw() % 800), 160 + (unsigned)(draw() % 600)};
        c.title = draw() % 2 ? names[draw() % 5] : NULL;
        c.x.label = draw() % 2 ? names[draw() % 5] : NULL;
        c.y.label = draw() % 2 ? names[draw() % 5] : NULL;
        if (draw() % 4 == 0)
            c.y.marks = (struct chart_marks){{{any_number(c.y.log), names[draw() % 5]}}, 1};
        if (draw() % 4 == 0 && c.kind != CHART_BARS)
            c.x.marks = (struct chart_marks){{{any_number(c.x.log), names[draw() % 5]}}, 1};
        if (draw() % 5 == 0) c.y.low = any_number(c.y.log);
        if (draw() % 5 == 0 && c.kind != CHART_BARS) c.x.high = any_number(c.x.log);
        unsigned n = (unsigned)(draw() % 60), series = 1 + (unsigned)(draw() % 5);
        for (unsigned k = 0; k < n; k++) {
            char category[16];
            struct chart_series *s = chart_series(&c, names[draw() % series]);
            struct chart_point p = {any_number(c.x.log), any_number(c.y.log), NAN, NAN};
            snprintf(category, sizeof category, "%u", k);
            if (c.kind == CHART_BARS) p.x = chart_category(&c, category);
            if (draw() % 8 == 0 && c.kind != CHART_HISTOGRAM) p.y = NAN;
            if (draw() % 3 == 0) p.low = p.y - 1, p.high = p.y + 1;
            CHECK(chart_add(s, p) == 0, "%s", fail_text());
        }
        fail("%s", "");
        int status = c.kind == CHART_HISTOGRAM ? chart_fill_bins(&c, 0) : 0;
        char *text = status ? NULL : picture(&c, &status);
        if (status) CHECK(*fail_text(), "chart %d: a failure without a reason", i);
        if (status == 0) {
            const char *wrong = xml_wrong(text);
            CHECK(!wrong, "chart %d, at byte %td: %.80s", i, wrong - text, wrong);
            CHECK(!strstr(text, "nan") && !strstr(text, "inf"), "chart %d: not a number: %.60s", i,
                  strstr(text, "nan") ? strstr(text, "nan") - 20 : strstr(text, "inf") - 20);
            drawn++;
        }
        free(text);
        chart_free(&c);
    }
    CHECK(drawn > 700, "only %d were drawn", drawn);
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"characters", characters},
                                              {"widths", widths},
                                              {"fitting", fitting},
                                              {"numbers", numbers},
                                              {"ticks-linear", ticks_linear},
                                              {"ticks-log", ticks_log},
                                              {"ticks-beside", ticks_beside},
                                              {"ranges", ranges},
                                              {"bins", bins},
                                              {"contrasts", contrasts},
                                              {"pictures", pictures},
                                              {0}};
    return check_main(cases, argc, argv);
}
