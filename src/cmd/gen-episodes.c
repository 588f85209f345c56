// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>

#include "search/evaluator.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/progress.h"

static struct episode_header header = {.p4 = 0.1, .seed = 1, .player = "random"};
static uint64_t episodes, moves, threads;
static const char *output, *weights;
static int quiet, verbose;

static int parse_shape(const char *text, void *to) { return shape_parse(text, to); }

static const struct option_spec options[] = {
    {.letter = 'b', .name = "board", .arg = "RxC", .kind = OPTION_CALL, .to = &header.shape,
     .parse = parse_shape, .help = "rows and columns of the board", .standard = "4x4"},
    {.letter = 'n', .name = "episodes", .arg = "N", .kind = OPTION_U64, .to = &episodes, .min = 1,
     .help = "play N episodes", .standard = "no limit"},
    {.letter = 'm', .name = "moves", .arg = "N", .kind = OPTION_U64, .to = &moves, .min = 1,
     .help = "begin no episode after N moves", .standard = "no limit"},
    {.letter = 'w', .name = "weights", .arg = "FILE", .kind = OPTION_FILE, .to = &weights,
     .help = "play greedily by this evaluator", .standard = "random moves"},
    OPTION_SEED(header.seed),
    {.name = "p4", .arg = "P", .kind = OPTION_F64, .to = &header.p4, .low = 0, .high = 1,
     .help = "probability that a new tile is a 4"},
    OPTION_THREADS(threads),
    OPTION_OUTPUT(output),
    OPTION_QUIET(quiet),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "gen-episodes",
    .purpose = "play games of 2048 and write them as an episode stream",
    .usage = "[-b RxC] -n EPISODES | -m MOVES [-w FILE] [-s SEED] [-t THREADS] [-o FILE]",
    .example = "gen-episodes -n 1000 -s 7 | episode-stat",
    .options = options,
};

struct view {
    struct progress line;
    int by_moves;
};

static int tell(void *context, uint64_t played, uint64_t made) {
    struct view *view = context;
    progress_show(&view->line, view->by_moves ? made : played, NULL);
    return 0;
}

// The board's shape is the evaluator's, or what -b says, or 4x4.
static int choose_shape(const struct evaluator *evaluator) {
    if (!evaluator) return header.shape.cells ? 0 : shape_init(&header.shape, 4, 4);
    const struct shape *s = evaluator_shape(evaluator);
    if (header.shape.cells && (header.shape.rows != s->rows || header.shape.cols != s->cols))
        return fail("%s: is for %ux%u boards, not %ux%u", weights, s->rows, s->cols,
                    header.shape.rows, header.shape.cols);
    header.shape = *s;
    snprintf(header.player, sizeof header.player, "%s", evaluator_name(evaluator));
    return 0;
}

int main(int argc, char **argv) {
    command_parse(&command, argc, argv);
    if (!episodes && !moves) command_misuse("one of -n and -m is needed");
    struct evaluator *evaluator = weights ? evaluator_open(weights) : NULL;
    if ((weights && !evaluator) || choose_shape(evaluator)) return command_failed();
    struct out *out = out_open(output, OUT_BINARY);
    if (!out) return command_failed();
    struct view view = {.by_moves = moves != 0};
    view.line = progress_start(moves ? "moves" : "episodes", moves ? moves : episodes, quiet);
    struct generate spec = {evaluator ? evaluator_player(evaluator) : &player_random, episodes ? episodes : UINT64_MAX,
                            moves ? moves : UINT64_MAX, command_threads(threads), 0, tell, &view};
    uint64_t played = 0, made = 0;
    struct episode_writer *w = episode_create(out, &header);
    command_begin();
    int status = w ? episode_generate(&spec, &header, w, &played, &made) : -1;
    progress_end(&view.line);
    if (status == 0)
        status = episode_finish(w);
    else if (w)
        episode_abandon(w);
    if (status) return out_abort(out), command_failed();
    if (out_close(out)) return command_failed();
    command_summary(verbose, "episodes=%" PRIu64 " moves=%" PRIu64 " moves_per_second=%.0f", played,
                    made, (double)made / command_seconds());
    evaluator_close(evaluator);
    return 0;
}
