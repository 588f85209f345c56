// SPDX-License-Identifier: MIT
#include "episode/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"
#include "util/number.h"

int episode_text_header(struct out *out, const struct episode_header *h) {
    char p4[NUMBER_TEXT];
    return out_printf(out, "episodes\t1\nboard\t%ux%u\np4\t%s\nseed\t%" PRIu64 "\nplayer\t%s\n",
                      h->shape.rows, h->shape.cols, number_text(h->p4, p4), h->seed, h->player);
}

int episode_text_episode(struct out *out, const struct shape *shape, const struct episode *e,
                         uint64_t number) {
    char text[BOARD_TEXT];
    struct board b = e->start;
    uint64_t score = 0;
    int bad = out_printf(out, "\nepisode\t%" PRIu64 "\t%s\n", number, episode_starts[e->how]);
    for (uint32_t i = 0; i < e->steps && !bad; i++) {
        uint8_t step = e->step[i];
        board_text(shape, b, text);
        uint32_t reward = board_slide(shape, b, step_move(step), &b);
        bad = out_printf(out, "%s\t%s\t%" PRIu32 "\t%u@%u\n", text, move_names[step_move(step)],
                         reward, 1u << step_exponent(step), step_cell(step));
        b = board_put(b, step_cell(step), step_exponent(step));
        score += reward;
    }
    return bad ? -1
               : out_printf(out, "%s\t%s\t%" PRIu64 "\n", board_text(shape, b, text),
                            e->cut ? "cut" : "over", score);
}

int episode_text_end(struct out *out, uint64_t episodes, uint64_t moves) {
    return out_printf(out, "\nend\t%" PRIu64 "\t%" PRIu64 "\n", episodes, moves);
}

enum { FIELDS = 4 };

struct converter {
    struct in *in;
    struct out *out;
    uint64_t line;
    char *field[FIELDS + 1];
    unsigned fields;
    struct episode_header header;
    struct episode_writer *writer; // NULL between streams
    uint64_t streams;              // finished ones
    uint64_t episodes, moves;
    uint8_t *step;
};

// Prefixes the last failure with where it happened.
static int at_line(const struct converter *c) {
    return fail("%s: line %" PRIu64 ": %s", in_name(c->in), c->line, fail_text());
}

static int wrong(const struct converter *c, const char *reason) {
    return fail("%s: line %" PRIu64 ": %s", in_name(c->in), c->line, reason);
}

// The next line that says something, in fields. 1, 0 at the end, -1.
static int next_line(struct converter *c) {
    char *line;
    size_t n;
    int got;
    while ((got = in_line(c->in, &line, &n)) > 0) {
        c->line++;
        if (strlen(line) != n) return wrong(c, "has a zero byte");
        if (n == 0 || *line == '#') continue;
        c->fields = 0;
        do {
            if (c->fields == FIELDS) return wrong(c, "too many fields");
            c->field[c->fields++] = line;
            line = strchr(line, '\t');
            if (line) *line++ = '\0';
        } while (line);
        return 1;
    }
    return got;
}

// The next line must be `key<TAB>value`; the value, or NULL on failure.
static const char *value_of(struct converter *c, const char *key) {
    int got = next_line(c);
    if (got > 0 && c->fields == 2 && strcmp(c->field[0], key) == 0) return c->field[1];
    if (got == 0) fail("%s: ends before '%s'", in_name(c->in), key);
    if (got > 0) fail("%s: line %" PRIu64 ": '%s' expected", in_name(c->in), c->line, key);
    return NULL;
}

// A header whose first line is there already.
static int convert_header(struct converter *c) {
    struct episode_header *h = &c->header;
    const char *v = c->field[1];
    if (c->fields != 2 || strcmp(c->field[0], "episodes") != 0 || strcmp(v, "1") != 0)
        return wrong(c, "not the text of episodes ('episodes<TAB>1' expected)");
    if (!(v = value_of(c, "board"))) return -1;
    struct shape before = h->shape;
    if (shape_parse(v, &h->shape)) return at_line(c);
    if (c->streams && (h->shape.rows != before.rows || h->shape.cols != before.cols))
        return wrong(c, "another board than that of the stream before");
    if (!(v = value_of(c, "p4"))) return -1;
    if (number_f64(v, 0, 1, &h->p4)) return at_line(c);
    if (!(v = value_of(c, "seed"))) return -1;
    if (number_u64(v, 0, UINT64_MAX, &h->seed)) return at_line(c);
    if (!(v = value_of(c, "player"))) return -1;
    if (strlen(v) > EPISODE_PLAYER) return wrong(c, "name of the player too long");
    for (const char *p = v; *p; p++)
        if (*p < ' ' || *p > '~') return wrong(c, "name of the player is not printable");
    strcpy(h->player, v);
    c->episodes = c->moves = 0;
    c->writer = episode_create(c->out, h);
    return c->writer ? 0 : -1;
}

// "2@5" to the spawn bits of a step.
static int parse_spawn(const char *text, uint8_t *bits) {
    uint64_t cell;
    if ((*text != '2' && *text != '4') || text[1] != '@') return fail("spawn must be 2@CELL or 4@CELL");
    if (number_u64(text + 2, 0, MOST_CELLS - 1, &cell)) return fail("spawn cell: %s", fail_text());
    *bits = (uint8_t)(cell << 2 | (*text == '4' ? 64 : 0));
    return 0;
}

static int parse_move(const char *text) {
    for (int m = 0; m < 4; m++)
        if (strcmp(text, move_names[m]) == 0) return m;
    return fail("'%s' is no move", text);
}

// Applies the line's step to *b. A - for state or reward is not compared.
static int convert_step(struct converter *c, struct board *b, uint64_t *score, uint8_t *step) {
    const struct shape *s = &c->header.shape;
    struct board after;
    uint64_t reward;
    uint8_t spawn = 0;
    int move = parse_move(c->field[1]);
    if (move < 0) return at_line(c);
    if (c->fields != 4) return wrong(c, "four fields expected");
    if (parse_spawn(c->field[3], &spawn)) return at_line(c);
    uint32_t real = board_slide(s, *b, (enum move)move, &after);
    if (board_equal(after, *b)) return wrong(c, "the move is not legal");
    if (strcmp(c->field[2], "-") != 0) {
        if (number_u64(c->field[2], 0, UINT32_MAX, &reward)) return at_line(c);
        if (reward != real) return wrong(c, "the reward is another");
    }
    *step = (uint8_t)(move | spawn);
    if (!(board_empty(s, after) >> 4 * step_cell(*step) & 1))
        return wrong(c, "the new tile's cell is not empty");
    *b = board_put(after, step_cell(*step), step_exponent(*step));
    *score += real;
    return 0;
}

// An episode whose first line is there already.
static int convert_episode(struct converter *c) {
    const struct shape *s = &c->header.shape;
    struct episode e = {.how = STARTS, .step = c->step};
    struct board b = {0, 0}, stated;
    uint64_t score = 0, number;
    for (int i = 0; c->fields == 3 && i < STARTS; i++)
        if (strcmp(c->field[2], episode_starts[i]) == 0) e.how = (enum episode_start)i;
    if (e.how == STARTS) return wrong(c, "'episode', a number and how it started expected");
    if (number_u64(c->field[1], 0, UINT64_MAX, &number)) return at_line(c);
    for (int first = 1;; first = 0) {
        int got = next_line(c);
        if (got <= 0) return got ? -1 : fail("%s: ends within an episode", in_name(c->in));
        if (c->fields < 3) return wrong(c, "a state, a move, a reward and a spawn expected");
        if (first || strcmp(c->field[0], "-") != 0) {
            if (board_parse(s, c->field[0], &stated)) return at_line(c);
            if (first) e.start = b = stated;
            if (first && !episode_plausible(s, &e)) return wrong(c, "not a normal start");
            if (!board_equal(b, stated)) return wrong(c, "the state is another");
        }
        e.cut = strcmp(c->field[1], "cut") == 0;
        if (e.cut || strcmp(c->field[1], "over") == 0) break;
        if (e.steps == MOST_STEPS) return wrong(c, "episode too long");
        if (convert_step(c, &b, &score, &c->step[e.steps++])) return -1;
    }
    uint64_t stated_score;
    if (c->fields != 3) return wrong(c, "a state, 'over' or 'cut' and the score expected");
    if (number_u64(c->field[2], 0, UINT64_MAX, &stated_score)) return at_line(c);
    if (stated_score != score) return wrong(c, "the score is another");
    if ((board_legal(s, b) != 0) != e.cut)
        return wrong(c, e.cut ? "is over, not cut" : "the game is not over");
    c->episodes++;
    c->moves += e.steps;
    return episode_write(c->writer, &e);
}

static int convert_end(struct converter *c) {
    uint64_t episodes, moves;
    if (c->fields != 3 || number_u64(c->field[1], 0, UINT64_MAX, &episodes) ||
        number_u64(c->field[2], 0, UINT64_MAX, &moves))
        return wrong(c, "'end' with episodes and moves expected");
    if (episodes != c->episodes || moves != c->moves) return wrong(c, "counts other episodes or moves");
    struct episode_writer *w = c->writer;
    c->writer = NULL;
    c->streams++;
    return episode_finish(w);
}

int episode_text_convert(struct in *in, struct out *out) {
    struct converter c = {.in = in, .out = out, .step = fail_alloc(MOST_STEPS, 1)};
    int got = c.step ? 1 : -1, bad = 0;
    while (got > 0 && !bad && (got = next_line(&c)) > 0) {
        if (!c.writer)
            bad = convert_header(&c);
        else if (strcmp(c.field[0], "episode") == 0)
            bad = convert_episode(&c);
        else if (strcmp(c.field[0], "end") == 0)
            bad = convert_end(&c);
        else
            bad = wrong(&c, "'episode' or 'end' expected");
    }
    if (got == 0 && !bad && c.writer) bad = fail("%s: ends before 'end'", in_name(in));
    if (got == 0 && !bad && !c.streams) bad = fail("%s: empty, no episodes", in_name(in));
    if (c.writer) episode_abandon(c.writer);
    free(c.step);
    return got < 0 || bad ? -1 : 0;
}
