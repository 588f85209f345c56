// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "search/calibrate.h"
#include "solve/solution.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"

static const char *weights, *output;
static int mse;

static const struct option_spec options[] = {
    {.letter = 'w', .name = "weights", .arg = "FILE", .kind = OPTION_FILE, .to = &weights,
     .help = "the evaluator"},
    {.name = "mse", .kind = OPTION_FLAG, .to = &mse,
     .help = "compare values with what was scored later, by range of value"},
    OPTION_OUTPUT(output),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "ntuple-eval",
    .purpose = "print what an evaluator thinks of boards",
    .usage = "-w FILE [--mse] [-o FILE] [FILE]",
    .example = "echo 2,4,8,16/0,0,2,4/0,0,0,0/0,0,0,2 | ntuple-eval -w run.w",
    .operands = 1,
    .options = options,
};

// One line: the board as an afterstate, and what each move is worth.
static int print_board(struct out *out, const struct evaluator *e, struct board b) {
    const struct shape *s = evaluator_shape(e);
    char text[BOARD_TEXT], number[NUMBER_TEXT], move[4][NUMBER_TEXT] = {"-", "-", "-", "-"};
    double most = -INFINITY, value;
    const char *best = "-";
    for (int m = 0; m < 4; m++) {
        struct board after;
        uint32_t reward = board_slide(s, b, (enum move)m, &after);
        if (board_equal(after, b)) continue;
        if (evaluator_value(e, after, &value)) return -1;
        double worth = (double)((float)reward + (float)value);
        number_text(worth, move[m]);
        if (worth > most) most = worth, best = move_names[m];
    }
    if (evaluator_value(e, b, &value)) return -1;
    return out_printf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", board_text(s, b, text),
                      number_text(value, number), best, move[0], move[1], move[2],
                      move[3]);
}

// Boards as text, a line each; each is answered at once.
static int from_text(struct in *in, struct out *out, const struct evaluator *e) {
    const struct shape *s = evaluator_shape(e);
    char *line;
    size_t n;
    int got;
    uint64_t number = 0;
    while ((got = in_line(in, &line, &n)) > 0) {
        struct board b;
        number++;
        if (n == 0) continue;
        if (strlen(line) != n) fail("has a zero byte");
        if (strlen(line) != n || board_parse(s, line, &b))
            return fail("%s: line %" PRIu64 ": %s", in_name(in), number, fail_text());
        if (print_board(out, e, b) || out_flush(out)) return -1;
    }
    if (got == 0 && number == 0) return fail("%s: empty, no boards", in_name(in));
    return got;
}

static int print_states(struct out *out, const struct evaluator *e, const struct episode *episode) {
    const struct shape *s = evaluator_shape(e);
    struct board b = episode->start;
    int bad = print_board(out, e, b);
    for (uint32_t i = 0; i < episode->steps && !bad; i++) {
        uint8_t step = episode->step[i];
        board_slide(s, b, step_move(step), &b);
        b = board_put(b, step_cell(step), step_exponent(step));
        bad = print_board(out, e, b);
    }
    return bad;
}

static int print_calibration(struct out *out, const struct calibrate *c) {
    int bad = out_printf(out, "low\thigh\tn\tmean_value\tmean_score\tbias\trmse\n");
    for (int i = 0; i < CALIBRATE_RANGES && !bad; i++) {
        const struct calibrate_range *r = &c->range[i];
        double n = (double)r->n;
        if (r->n)
            bad = out_printf(out, "%g\t%g\t%" PRIu64 "\t%.6g\t%.6g\t%.6g\t%.6g\n", r->low, r->high,
                             r->n, r->value / n, r->score / n, (r->value - r->score) / n,
                             sqrt(r->square / n));
    }
    return bad;
}

static int from_episodes(struct in *in, struct out *out, const struct evaluator *e) {
    struct episode_reader *r = episode_open(in);
    if (!r) return -1;
    const struct shape *s = evaluator_shape(e), *theirs = &episode_header(r)->shape;
    struct calibrate calibrate;
    struct episode episode;
    struct episode_result result;
    int got = 0, bad = 0;
    calibrate_init(&calibrate);
    if (s->rows != theirs->rows || s->cols != theirs->cols)
        bad = fail("%s: is for %ux%u boards, the episodes have %ux%u", weights, s->rows, s->cols,
                   theirs->rows, theirs->cols);
    while (!bad && (got = episode_read(r, &episode)) > 0)
        bad = mse ? calibrate_add(&calibrate, e, r, &episode)
                  : episode_replay(r, &episode, &result) || print_states(out, e, &episode);
    if (!bad && got == 0 && mse) bad = print_calibration(out, &calibrate);
    episode_close(r);
    return bad || got < 0 ? -1 : 0;
}

static int evaluate(struct in *in, struct out *out, const struct evaluator *e) {
    int first = in_peek(in);
    if (first == -2) return -1;
    if (!mse && out_printf(out, "board\tvalue\tbest\tleft\tup\tright\tdown\n")) return -1;
    return first == 'P' || mse ? from_episodes(in, out, e) : from_text(in, out, e);
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (!weights) command_misuse("-w FILE is needed");
    if (solution_is(weights)) {
        fail("%s: is a solved board, whose values age-query prints", weights);
        return command_failed();
    }
    struct evaluator *e = evaluator_open(weights);
    struct in *in = e ? in_open(argv[first]) : NULL;
    struct out *out = in ? out_open(output, OUT_TEXT) : NULL;
    int status = out ? evaluate(in, out, e) : -1;
    if (status)
        out_abort(out);
    else
        status = out_close(out);
    in_close(in);
    evaluator_close(e);
    return status ? command_failed() : 0;
}
