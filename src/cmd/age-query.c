// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "episode/stream.h"
#include "solve/solution.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"

// Episodes may start with tiles that no game comes to.
enum { RANGES = 24 };

static const char *directory, *values, *output;
static int episodes, summary, verbose;

static const struct option_spec options[] = {
    {.letter = 'd', .name = "directory", .arg = "DIR", .kind = OPTION_FILE, .to = &directory,
     .help = "the solution's directory"},
    {.name = "values", .arg = "NAME", .kind = OPTION_TEXT, .to = &values,
     .help = "which values of the directory", .standard = "score"},
    {.name = "episodes", .kind = OPTION_FLAG, .to = &episodes,
     .help = "read an episode stream and print the loss of every move"},
    {.name = "summary", .kind = OPTION_FLAG, .to = &summary,
     .help = "with --episodes: only sums, by range of ages"},
    OPTION_OUTPUT(output),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "age-query",
    .purpose = "tell the exact value of states and of the moves that were played",
    .usage = "-d DIR [--values NAME] [--episodes [--summary]] [-o FILE] [FILE]",
    .example = "echo 2,0,0/0,2,0 | age-query -d solution",
    .operands = 1,
    .options = options,
};

static uint64_t queries;

// A number, or - where there is none.
static const char *number_or(int there, double v, char to[NUMBER_TEXT]) {
    return there ? number_text(v, to) : "-";
}

static void move_list(unsigned moves, char *to, size_t size) {
    *to = '\0';
    for (int m = 0; m < 4; m++)
        if (moves >> m & 1)
            snprintf(to + strlen(to), size - strlen(to), "%s%s", *to ? "," : "", move_names[m]);
    if (!*to) snprintf(to, size, "-");
}

// Why there is no answer; "" if there is one.
static const char *note(int known) {
    return known == SOLUTION_KNOWN ? "" : known == SOLUTION_UNREACHED ? "not reachable" : fail_text();
}

static int print_state(struct out *out, struct solution *s, struct board b) {
    const struct shape *shape = &solution_rules(s)->shape;
    struct solution_moves m;
    char text[BOARD_TEXT], best[64], value[5][NUMBER_TEXT];
    int known = solution_moves(s, b, &m);
    if (known == SOLUTION_FAILED) return -1;
    move_list(known == SOLUTION_KNOWN ? m.best : 0, best, sizeof best);
    queries++;
    return out_printf(out, "%s\t%" PRIu64 "\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
                      board_text(shape, b, text), board_age(shape, b),
                      number_or(known == SOLUTION_KNOWN, m.state, value[4]), best,
                      number_or(known == SOLUTION_KNOWN && m.legal & 1, m.value[0], value[0]),
                      number_or(known == SOLUTION_KNOWN && m.legal & 2, m.value[1], value[1]),
                      number_or(known == SOLUTION_KNOWN && m.legal & 4, m.value[2], value[2]),
                      number_or(known == SOLUTION_KNOWN && m.legal & 8, m.value[3], value[3]),
                      note(known));
}

static int answer_boards(struct in *in, struct out *out, struct solution *s) {
    char *line;
    size_t n;
    int got;
    struct board b;
    if (out_printf(out, "board\tage\tvalue\tbest\tleft\tup\tright\tdown\tnote\n")) return -1;
    for (uint64_t number = 1; (got = in_line(in, &line, &n)) > 0; number++) {
        if (n == 0 || *line == '#') continue;
        if (strlen(line) != n || board_parse(&solution_rules(s)->shape, line, &b))
            return fail("%s: line %" PRIu64 ": %s", in_name(in), number, fail_text());
        if (print_state(out, s, b)) return -1;
    }
    return got;
}

// What was lost at ages of one range: powers of two.
static struct range {
    uint64_t moves, optimal, unknown;
    double loss;
} range[RANGES];

// One step of an episode, printed or added up.
static int judge(struct out *out, struct solution *s, struct board b, unsigned move, uint64_t episode,
                 uint32_t step) {
    struct solution_moves m;
    char value[3][NUMBER_TEXT];
    uint64_t age = board_age(&solution_rules(s)->shape, b);
    int known = solution_moves(s, b, &m);
    if (known == SOLUTION_FAILED) return -1;
    int optimal = m.best >> move & 1;
    double loss = optimal ? 0 : m.state - m.value[move];
    struct range *r = &range[63 - __builtin_clzll(age | 1)];
    queries++;
    if (known == SOLUTION_KNOWN) {
        r->moves++;
        r->optimal += (unsigned)optimal;
        r->loss += loss;
    } else
        r->unknown++;
    if (summary) return 0;
    return out_printf(out, "%" PRIu64 "\t%" PRIu32 "\t%" PRIu64 "\t%s\t%s\t%s\t%s\t%s\n", episode, step,
                      age, number_or(known == SOLUTION_KNOWN, m.state, value[0]), move_names[move],
                      number_or(known == SOLUTION_KNOWN, m.value[move], value[1]),
                      number_or(known == SOLUTION_KNOWN, loss, value[2]), note(known));
}

static int print_range(struct out *out, const char *name, const struct range *r, uint64_t n) {
    char share[NUMBER_TEXT], move[NUMBER_TEXT], episode[NUMBER_TEXT];
    double moves = (double)r->moves;
    return out_printf(out, "%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t%s\n", name, r->moves, r->unknown,
                      number_or(r->moves > 0, (double)r->optimal / moves, share),
                      number_or(r->moves > 0, r->loss / moves, move),
                      number_or(n > 0, r->loss / (double)n, episode));
}

static int print_summary(struct out *out, uint64_t n) {
    struct range all = {0};
    char name[48];
    int bad = out_printf(out, "ages\tmoves\tunknown\toptimal_share\tmean_loss\tmean_loss_episode\n");
    for (unsigned e = 0; e < RANGES && !bad; e++) {
        if (!range[e].moves && !range[e].unknown) continue;
        snprintf(name, sizeof name, "%lu-%lu", 1ul << e, (2ul << e) - 1);
        all.moves += range[e].moves;
        all.optimal += range[e].optimal;
        all.unknown += range[e].unknown;
        all.loss += range[e].loss;
        bad = print_range(out, name, &range[e], n);
    }
    return bad ? -1 : print_range(out, "all", &all, n);
}

static int judge_episodes(struct in *in, struct out *out, struct solution *s) {
    const struct shape *shape = &solution_rules(s)->shape;
    struct episode_reader *r = episode_open(in);
    struct episode e;
    struct episode_result result;
    uint64_t n = 0;
    int got = r ? 1 : -1;
    if (r) {
        const struct shape *is = &episode_header(r)->shape;
        if (is->rows != shape->rows || is->cols != shape->cols)
            got = fail("%s: %ux%u boards, but %s is of %ux%u", in_name(in), is->rows, is->cols,
                       directory, shape->rows, shape->cols);
    }
    if (got > 0 && !summary &&
        out_printf(out, "episode\tstep\tage\tvalue\tmove\tmove_value\tloss\tnote\n"))
        got = -1;
    while (got > 0 && (got = episode_read(r, &e)) > 0) {
        struct board b = e.start;
        int bad = episode_replay(r, &e, &result);
        n++;
        for (uint32_t i = 0; i < e.steps && !bad; i++) {
            enum move move = step_move(e.step[i]);
            bad = judge(out, s, b, move, n, i + 1);
            board_slide(shape, b, move, &b);
            b = board_put(b, step_cell(e.step[i]), step_exponent(e.step[i]));
        }
        if (bad) got = -1;
    }
    if (got == 0 && summary) got = print_summary(out, n);
    episode_close(r);
    return got;
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (!directory) command_misuse("-d is needed");
    if (summary && !episodes) command_misuse("--summary goes with --episodes");
    struct solution *s = solution_open(directory, values);
    struct in *in = s ? in_open(argv[first]) : NULL;
    struct out *out = in ? out_open(output, OUT_TEXT) : NULL;
    int status = !out ? -1 : episodes ? judge_episodes(in, out, s) : answer_boards(in, out, s);
    if (status == 0)
        status = out_close(out);
    else
        out_abort(out);
    in_close(in);
    solution_close(s);
    if (status) return command_failed();
    command_summary(verbose, "states=%" PRIu64 " states_per_second=%.0f", queries,
                    (double)queries / command_seconds());
    return 0;
}
