// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture/series.h"
#include "picture/text.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"

enum { MOST_FILES = CHART_SERIES };

static const char *const kinds[] = {"line", "points", "bars", "histogram", NULL};
static const char *const logs[] = {"none", "x", "y", "xy", NULL};
static struct chart chart = {
    .size = {640, 400}, .x = {.low = NAN, .high = NAN}, .y = {.low = NAN, .high = NAN}};
static struct series_spec spec;
static struct series_names labels;
static const char *header, *output;
static int kind, log_axes;
static uint64_t bins;

// Adds an argument to a list.
static int add_name(const char *text, void *to) {
    struct series_names *names = to;
    if (names->n == CHART_SERIES) return fail("more than %d of them", CHART_SERIES);
    names->name[names->n++] = text;
    return 0;
}

static int parse_size(const char *text, void *to) { return svg_size_parse(text, to); }

// A number of an axis; an empty text leaves what was there.
static int parse_end(const char *text, size_t n, double *to) {
    char number[64];
    if (n == 0) return 0;
    if (n >= sizeof number) return fail("not a number");
    memcpy(number, text, n);
    number[n] = '\0';
    return number_f64(number, -1e300, 1e300, to);
}

// "LOW:HIGH", each of which may be missing.
static int parse_range(const char *text, void *to) {
    struct chart_axis *axis = to;
    size_t n = strcspn(text, ":");
    if (!text[n]) return fail("not a range LOW:HIGH");
    if (parse_end(text, n, &axis->low) ||
        parse_end(text + n + 1, strlen(text + n + 1), &axis->high))
        return -1;
    return axis->low >= axis->high ? fail("the second number must be larger") : 0;
}

// "VALUE" or "VALUE:LABEL".
static int parse_mark(const char *text, void *to) {
    struct chart_marks *marks = to;
    struct chart_mark mark = {NAN, ""};
    size_t n = strcspn(text, ":");
    if (marks->n == CHART_MARKS) return fail("more than %d of them", CHART_MARKS);
    if (n == 0) return fail("not a number");
    if (parse_end(text, n, &mark.at)) return -1;
    if (text[n]) mark.label = text + n + 1;
    marks->mark[marks->n++] = mark;
    return 0;
}

static const struct option_spec options[] = {
    {.letter = 'k', .name = "kind", .arg = "KIND", .kind = OPTION_WORD, .to = &kind, .words = kinds,
     .help = "line, points, bars or histogram"},
    {.letter = 'x', .name = "x", .arg = "COLUMN", .kind = OPTION_TEXT, .to = &spec.x,
     .help = "what goes to the right, or what a histogram counts", .standard = "the first column"},
    {.letter = 'y', .name = "y", .arg = "COLUMN", .kind = OPTION_CALL, .to = &spec.y, .parse = add_name,
     .help = "what goes up; again for more series", .standard = "the second column"},
    {.name = "by", .arg = "COLUMN", .kind = OPTION_TEXT, .to = &spec.by,
     .help = "a series for every text in this column"},
    {.name = "band", .arg = "SPEC", .kind = OPTION_CALL, .to = &spec.band, .parse = add_name,
     .help = "COLUMN: y plus and minus it, or LOW:HIGH; again for the next y"},
    {.name = "label", .arg = "TEXT", .kind = OPTION_CALL, .to = &labels, .parse = add_name,
     .help = "a name for the first series; again for the next"},
    {.name = "header", .arg = "NAMES", .kind = OPTION_TEXT, .to = &header,
     .help = "the columns' names, with commas, for input that begins without"},
    {.name = "title", .arg = "TEXT", .kind = OPTION_TEXT, .to = &chart.title, .help = "stands above the chart"},
    {.name = "x-label", .arg = "TEXT", .kind = OPTION_TEXT, .to = &chart.x.label,
     .help = "what x is, and its unit", .standard = "the column's name"},
    {.name = "y-label", .arg = "TEXT", .kind = OPTION_TEXT, .to = &chart.y.label,
     .help = "what y is, and its unit", .standard = "the column's name"},
    {.name = "log", .arg = "AXES", .kind = OPTION_WORD, .to = &log_axes, .words = logs,
     .help = "x, y or xy: logarithmic axes"},
    {.name = "gaps", .kind = OPTION_FLAG, .to = &chart.gaps,
     .help = "leave out numbers that a log axis has no place for"},
    {.name = "x-range", .arg = "LOW:HIGH", .kind = OPTION_CALL, .to = &chart.x, .parse = parse_range,
     .help = "what the axis shows; either may be missing", .standard = "all"},
    {.name = "y-range", .arg = "LOW:HIGH", .kind = OPTION_CALL, .to = &chart.y, .parse = parse_range,
     .help = "what the axis shows; either may be missing", .standard = "all"},
    {.name = "percent", .kind = OPTION_FLAG, .to = &chart.percent,
     .help = "y is a share, shown as percent; a histogram counts shares"},
    {.name = "hline", .arg = "VALUE[:LABEL]", .kind = OPTION_CALL, .to = &chart.y.marks,
     .parse = parse_mark, .help = "a line across at y = VALUE"},
    {.name = "vline", .arg = "VALUE[:LABEL]", .kind = OPTION_CALL, .to = &chart.x.marks,
     .parse = parse_mark, .help = "a line upwards at x = VALUE"},
    {.name = "bins", .arg = "N", .kind = OPTION_U64, .to = &bins, .min = 1, .max = 1000,
     .help = "bins of a histogram", .standard = "as suits the data"},
    {.name = "size", .arg = "WxH", .kind = OPTION_CALL, .to = &chart.size, .parse = parse_size,
     .help = "width and height in pixels", .standard = "640x400"},
    OPTION_OUTPUT(output),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "plot",
    .purpose = "draw a table as a chart, an SVG picture",
    .usage = "[-k KIND] [-x COLUMN] [-y COLUMN]... [options] [-o FILE] [FILE]...",
    .example = "gen-episodes -b 3x3 -n 1000 | episode-stat --each | plot -k histogram -x score",
    .operands = MOST_FILES,
    .options = options,
};

static void check_axis(const struct chart_axis *axis, char letter) {
    if (!axis->log) return;
    if (axis->low <= 0 || axis->high <= 0)
        command_misuse("--%c-range: a log axis has only numbers above 0", letter);
    for (unsigned i = 0; i < axis->marks.n; i++)
        if (axis->marks.mark[i].at <= 0)
            command_misuse("--%cline: a log axis has only numbers above 0",
                           letter == 'y' ? 'h' : 'v');
}

static void check_options(void) {
    chart.kind = (enum chart_kind)kind;
    chart.x.log = log_axes & 1;
    chart.y.log = log_axes >> 1;
    if (kind == CHART_HISTOGRAM && spec.y.n)
        command_misuse("a histogram counts -x and takes no -y");
    if (kind == CHART_HISTOGRAM && spec.band.n) command_misuse("a histogram has no --band");
    if (kind != CHART_HISTOGRAM && bins) command_misuse("--bins is for histograms");
    if (kind == CHART_BARS &&
        (chart.x.log || !isnan(chart.x.low) || !isnan(chart.x.high) || chart.x.marks.n))
        command_misuse("bars have names, not numbers, on the x axis");
    if (spec.band.n > (spec.y.n ? spec.y.n : 1)) command_misuse("--band: more of them than -y");
    check_axis(&chart.x, 'x');
    check_axis(&chart.y, 'y');
}

// A file's name without folders and ending.
static void file_label(const char *path, char to[TEXT_LINE]) {
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *dot = strrchr(base, '.');
    snprintf(to, TEXT_LINE, "%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base),
             base);
}

static int read_file(const char *path, const char *label) {
    struct in *in = in_open(path);
    struct table *t = in ? table_open(in, header) : NULL;
    int bad = t ? series_read(&chart, &spec, t, label) : -1;
    table_close(t);
    in_close(in);
    return bad;
}

// Files of the same name in different folders are told apart by the folders.
static int read_files(char **path, int n) {
    char label[MOST_FILES][TEXT_LINE];
    int same = 0;
    if (n <= 1) return read_file(path[0], NULL);
    for (int i = 0; i < n; i++) file_label(path[i], label[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) same |= strcmp(label[i], label[j]) == 0;
    for (int i = 0; i < n; i++)
        if (read_file(path[i], same ? path[i] : label[i])) return -1;
    return 0;
}

static int rename_series(void) {
    if (labels.n > chart.n) return fail("--label: %u of them for %u series", labels.n, chart.n);
    for (unsigned i = 0; i < labels.n; i++) {
        char *name = strdup(labels.name[i]);
        if (!name) return fail("memory: none for a name");
        free(chart.series[i].name);
        chart.series[i].name = name;
    }
    return 0;
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    check_options();
    int status = read_files(argv + first, argc - first);
    if (status == 0) status = rename_series();
    if (status == 0 && chart.kind == CHART_HISTOGRAM)
        status = chart_fill_bins(&chart, (unsigned)bins);
    struct out *out = status == 0 ? out_open(output, OUT_TEXT) : NULL;
    if (!out || chart_draw(&chart, out)) {
        out_abort(out);
        status = -1;
    } else
        status = out_close(out);
    chart_free(&chart);
    return status ? command_failed() : 0;
}
