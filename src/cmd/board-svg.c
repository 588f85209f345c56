// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "episode/stream.h"
#include "picture/boards.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"

enum { MOST_FIELDS = 64 };

static struct boards boards = {.tile = 48};
static struct captions {
    const char *name[BOARDS_CAPTIONS];
    unsigned n;
} captions;
static const char *output;
static uint64_t tile = 48, columns, number, every, step = UINT64_MAX;

static int add_caption(const char *text, void *to) {
    struct captions *c = to;
    if (c->n == BOARDS_CAPTIONS) return fail("more than %d of them", BOARDS_CAPTIONS);
    c->name[c->n++] = text;
    return 0;
}

static const struct option_spec options[] = {
    {.letter = 'e', .name = "episode", .arg = "N", .kind = OPTION_U64, .to = &number, .min = 1,
     .help = "of a stream: which episode", .standard = "1"},
    {.name = "step", .arg = "K", .kind = OPTION_U64, .to = &step, .max = UINT64_MAX - 1,
     .help = "the board after K steps; 0 is the start", .standard = "the last"},
    {.name = "every", .arg = "N", .kind = OPTION_U64, .to = &every, .min = 1,
     .help = "the start, every N-th step and the last"},
    {.name = "caption", .arg = "COLUMN", .kind = OPTION_CALL, .to = &captions, .parse = add_caption,
     .help = "of a table: what stands below; again for more", .standard = "the next two"},
    {.name = "title", .arg = "TEXT", .kind = OPTION_TEXT, .to = &boards.title, .help = "stands above the boards"},
    {.name = "columns", .arg = "N", .kind = OPTION_U64, .to = &columns, .min = 1, .max = BOARDS_MOST,
     .help = "boards in a row", .standard = "as looks well"},
    {.name = "tile", .arg = "PIXELS", .kind = OPTION_U64, .to = &tile, .min = 16, .max = 400,
     .help = "the size of a tile"},
    OPTION_OUTPUT(output),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "board-svg",
    .purpose = "draw boards, or steps of an episode, as an SVG picture",
    .usage = "[-e N] [--step K | --every N] [--caption COLUMN]... [-o FILE] [FILE]",
    .example = "gen-episodes -n 1 -s 7 | board-svg --every 20",
    .operands = 1,
    .options = options,
};

// A board of the shape that its text shows.
static int parse_board(const char *text, struct boards_item *item) {
    struct shape shape;
    unsigned rows = 1, cols = 1;
    for (const char *c = text; *c; c++) rows += *c == '/';
    for (const char *c = text; *c && *c != '/'; c++) cols += *c == ',';
    if (shape_init(&shape, rows, cols) || board_parse(&shape, text, &item->board)) return -1;
    item->rows = rows;
    item->cols = cols;
    item->fresh = -1;
    return 0;
}

// The captions of a table: which columns, and their names.
static struct heading {
    unsigned n, column[BOARDS_CAPTIONS];
    char name[BOARDS_CAPTIONS][TEXT_LINE];
} heading;

static int read_heading(char *const field[], unsigned fields) {
    heading.n = captions.n ? captions.n : fields > 2 ? 2 : fields - 1;
    for (unsigned i = 0; i < heading.n; i++) {
        unsigned k = captions.n ? 0 : i + 1;
        while (captions.n && k < fields && strcmp(field[k], captions.name[i])) k++;
        if (k == fields) return fail("no column '%s'", captions.name[i]);
        heading.column[i] = k;
        snprintf(heading.name[i], TEXT_LINE, "%s", field[k]);
    }
    return 0;
}

// "name value", with a number as people like to read it.
static void write_caption(const char *name, const char *text, char to[TEXT_LINE]) {
    char rounded[TEXT_NUMBER];
    double v;
    if (number_f64(text, -1e300, 1e300, &v) == 0) text = text_number(v, rounded);
    snprintf(to, TEXT_LINE, "%.100s%s%.100s", name, *name ? " " : "", text);
}

static unsigned split(char *line, char *field[MOST_FIELDS]) {
    unsigned n = 0;
    for (char *next = line; next && n < MOST_FIELDS;) {
        field[n++] = next;
        next = strchr(next, '\t');
        if (next) *next++ = '\0';
    }
    return n;
}

static int read_line(char *line, int first) {
    struct boards_item item = {0};
    char *field[MOST_FIELDS];
    unsigned n = split(line, field);
    if (first && strcmp(field[0], "board") == 0) return read_heading(field, n);
    if (captions.n && !heading.n) return fail("--caption needs a table with a line of names");
    if (parse_board(field[0], &item)) return -1;
    for (unsigned i = 0; i < heading.n; i++)
        if (heading.column[i] < n)
            write_caption(heading.name[i], field[heading.column[i]], item.caption[i]);
    for (unsigned i = 1; !heading.n && i < n && i <= BOARDS_CAPTIONS; i++)
        write_caption("", field[i], item.caption[i - 1]);
    return boards_add(&boards, &item);
}

static int from_text(struct in *in) {
    char *line;
    size_t n;
    int got, first = 1;
    if (number || every || step != UINT64_MAX)
        return fail("%s: no episode stream, which --episode, --step and --every need", in_name(in));
    for (uint64_t count = 1; (got = in_line(in, &line, &n)) > 0; count++) {
        int zero = strlen(line) != n;
        if (n && line[n - 1] == '\r') line[--n] = '\0';
        if (n == 0) continue;
        if (zero) fail("has a zero byte");
        if (zero || read_line(line, first))
            return fail("%s: line %" PRIu64 ": %s", in_name(in), count, fail_text());
        first = 0;
    }
    if (got == 0 && boards.n == 0) return fail("%s: no boards", in_name(in));
    return got;
}

static int wanted(uint32_t i, uint32_t steps) {
    if (every) return i % every == 0 || i == steps;
    return step == UINT64_MAX ? i == steps : i == step;
}

static int add_step(const struct shape *s, struct board b, uint32_t i, int move, int cell,
                    uint64_t score) {
    static const char *const arrows[] = {"\xe2\x86\x90", "\xe2\x86\x91", "\xe2\x86\x92",
                                         "\xe2\x86\x93"};
    struct boards_item item = {.rows = s->rows, .cols = s->cols, .board = b, .fresh = cell};
    char text[TEXT_NUMBER];
    snprintf(item.caption[0], TEXT_LINE, "start");
    if (i)
        snprintf(item.caption[0], TEXT_LINE, "step %" PRIu32 ": %s %s", i, arrows[move],
                 move_names[move]);
    snprintf(item.caption[1], TEXT_LINE, "score %s", text_grouped((double)score, 0, text));
    return boards_add(&boards, &item);
}

static int add_steps(const struct shape *s, const struct episode *e) {
    struct board b = e->start;
    uint64_t score = 0;
    if (wanted(0, e->steps) && add_step(s, b, 0, 0, -1, 0)) return -1;
    for (uint32_t i = 1; i <= e->steps; i++) {
        uint8_t code = e->step[i - 1];
        score += board_slide(s, b, step_move(code), &b);
        b = board_put(b, step_cell(code), step_exponent(code));
        if (wanted(i, e->steps) &&
            add_step(s, b, i, (int)step_move(code), (int)step_cell(code), score))
            return -1;
    }
    return 0;
}

static int from_episodes(struct in *in) {
    struct episode_reader *r = episode_open(in);
    struct episode e;
    struct episode_result result;
    uint64_t count = 0, which = number ? number : 1;
    int got = -1, bad = 0;
    while (r && !bad && (got = episode_read(r, &e)) > 0) {
        bad = episode_replay(r, &e, &result);
        if (bad || ++count != which) continue;
        if (step != UINT64_MAX && step > e.steps)
            bad = fail("%s: episode %" PRIu64 " has only %" PRIu32 " steps", in_name(in), which,
                       e.steps);
        else
            bad = add_steps(&episode_header(r)->shape, &e);
    }
    if (!bad && got == 0 && count < which)
        bad = fail("%s: has only %" PRIu64 " episodes", in_name(in), count);
    if (!bad && got == 0 && captions.n)
        bad = fail("%s: an episode stream, which has no columns for --caption", in_name(in));
    episode_close(r);
    return bad || got < 0 ? -1 : 0;
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (every && step != UINT64_MAX) command_misuse("one of --step and --every");
    boards.tile = (unsigned)tile;
    boards.columns = (unsigned)columns;
    struct in *in = in_open(argv[first]);
    int peek = in ? in_peek(in) : -2;
    int status = peek == -2 ? -1 : peek == 'P' ? from_episodes(in) : from_text(in);
    struct out *out = status == 0 ? out_open(output, OUT_TEXT) : NULL;
    if (!out || boards_draw(&boards, out)) {
        out_abort(out);
        status = -1;
    } else
        status = out_close(out);
    in_close(in);
    boards_free(&boards);
    return status ? command_failed() : 0;
}
