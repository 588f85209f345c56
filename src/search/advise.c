// SPDX-License-Identifier: MIT
#include "search/advise.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/fail.h"
#include "util/number.h"

const char *advise_impossible(const struct shape *shape, struct board b) {
    unsigned count[32] = {0}, larger = 0;
    for (unsigned i = 0; i < shape->cells; i++) count[board_cell(b, i)]++;
    if (shape->cells - count[0] < 2) return "impossible: a state has at least two tiles";
    if (count[1] + count[2] == 0) return "impossible: no 2 or 4 that can have appeared last";
    // Of the i largest tiles one was made last, beside the others: with c cells
    // left for it, it is at most 2^(c+1).
    for (unsigned e = 31; e > 0; e--)
        if (count[e] && (larger += count[e]) + e > shape->cells + 2)
            return "impossible: too many large tiles";
    return NULL;
}

static int answer(struct out *out, const char *board, const struct search_answer *a, const char *note) {
    char value[4][NUMBER_TEXT];
    const char *text[4];
    for (int m = 0; m < 4; m++) text[m] = a->legal >> m & 1 ? number_text(a->value[m], value[m]) : "-";
    int bad = out_printf(out, "%s\t%s\t%s\t%s\t%s\t%s\t", board, a->legal ? move_names[a->best] : "-",
                         text[0], text[1], text[2], text[3]);
    if (!bad && a->legal)
        bad = out_printf(out, "%u\t%" PRIu64 "\t%.3f\t\n", a->plies, a->nodes, a->milliseconds);
    else if (!bad)
        bad = out_printf(out, "-\t-\t-\t%s\n", note);
    return bad || out_flush(out) ? -1 : 0;
}

static int answer_board(struct out *out, struct search *s, const struct shape *shape, struct board b,
                        uint64_t *boards) {
    char text[BOARD_TEXT];
    struct search_answer a = {0};
    const char *note = board_legal(shape, b) ? advise_impossible(shape, b) : "terminal: no move is legal";
    board_text(shape, b, text);
    if (!note && search_state(s, b, &a)) {
        note = fail_text();
        a.legal = 0;
    }
    *boards += a.legal != 0;
    return answer(out, text, &a, note);
}

// A line that is no board, as far as it can be shown in a table.
static int answer_other(struct out *out, const char *line, const char *reason) {
    char text[BOARD_TEXT];
    snprintf(text, sizeof text, "%s", line);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    return answer(out, text, &(struct search_answer){0}, reason);
}

int advise_lines(struct in *in, struct out *out, struct search *s, const struct shape *shape,
           uint64_t *boards) {
    char *line, first[512] = "";
    size_t n;
    int got, bad = out_printf(out, "board\tbest\tleft\tup\tright\tdown\tdepth\tnodes\tms\tnote\n") || out_flush(out);
    uint64_t number = 0;
    while (!bad && (got = in_line(in, &line, &n)) != 0) {
        struct board b;
        if (got < 0) return -1;
        number++;
        if (n && line[n - 1] == '\r') line[--n] = '\0';
        if (n == 0) continue;
        if (strlen(line) != n ? fail("has a zero byte") : board_parse(shape, line, &b)) {
            if (!*first) snprintf(first, sizeof first, "%s: line %" PRIu64 ": %s", in_name(in), number, fail_text());
            bad = answer_other(out, line, fail_text());
        } else
            bad = answer_board(out, s, shape, b, boards);
    }
    if (bad) return -1;
    if (number == 0) return fail("%s: empty, no boards", in_name(in));
    return *first ? fail("%s", first) : 0;
}
