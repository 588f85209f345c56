// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "search/evaluator.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/progress.h"

static struct episode_header header = {.p4 = 0.1, .seed = 1, .player = "random"};
static struct starts_spec starts;
static double epsilon;
static uint64_t episodes, moves, threads;
static const char *output, *weights;
static int lockstep, quiet, verbose;

static int parse_shape(const char *text, void *to) { return shape_parse(text, to); }
static int parse_starts(const char *text, void *to) { return starts_parse(text, to); }

static const struct option_spec options[] = {
    {.letter = 'b', .name = "board", .arg = "RxC", .kind = OPTION_CALL, .to = &header.shape,
     .parse = parse_shape, .help = "rows and columns of the board", .standard = "4x4"},
    {.letter = 'n', .name = "episodes", .arg = "N", .kind = OPTION_U64, .to = &episodes, .min = 1,
     .help = "play N episodes", .standard = "no limit"},
    {.letter = 'm', .name = "moves", .arg = "N", .kind = OPTION_U64, .to = &moves, .min = 1,
     .help = "begin no episode after N moves", .standard = "no limit"},
    {.letter = 'w', .name = "weights", .arg = "FILE", .kind = OPTION_FILE, .to = &weights,
     .help = "play by these weights, or perfectly by this solved directory", .standard = "random moves"},
    {.name = "start", .arg = "HOW", .kind = OPTION_CALL, .to = &starts, .parse = parse_starts,
     .help = "normal, restart[:MIN], carousel, jump-s, jump-l, jump-s+restart, ...", .standard = "normal"},
    {.name = "epsilon", .arg = "P", .kind = OPTION_F64, .to = &epsilon, .low = 0, .high = 1,
     .help = "probability of a random move instead of the best one"},
    OPTION_SEED(header.seed),
    {.name = "p4", .arg = "P", .kind = OPTION_F64, .to = &header.p4, .low = 0, .high = 1,
     .help = "probability that a new tile is a 4"},
    OPTION_THREADS(threads),
    {.name = "lockstep", .kind = OPTION_FLAG, .to = &lockstep,
     .help = "play on only when the learner behind the pipe has learned the last episode"},
    OPTION_OUTPUT(output),
    OPTION_QUIET(quiet),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "gen-episodes",
    .purpose = "play games of 2048 and write them as an episode stream",
    .usage = "[-b RxC] -n EPISODES | -m MOVES [-w FILE] [--start HOW] [-s SEED] [-t THREADS] [-o FILE]",
    .example = "gen-episodes -n 1000 -s 7 | episode-stat",
    .options = options,
};

struct view {
    struct progress line;
    int by_moves;
    struct out *out;
    const struct evaluator *evaluator;
    uint64_t before; // episodes that the evaluator had learned when we began
};

static int tell(void *context, uint64_t played, uint64_t made) {
    struct view *view = context;
    progress_show(&view->line, view->by_moves ? made : played, NULL);
    if (!lockstep) return 0;
    return out_flush(view->out) || evaluator_wait(view->evaluator, view->before + played, view->out) ? -1 : 0;
}

static int to_a_pipe(void) {
    struct stat st;
    return !output && fstat(STDOUT_FILENO, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode);
}

// The board's shape is the evaluator's, or what -b says, or 4x4.
static int choose_game(const struct evaluator *evaluator) {
    if (evaluator) return evaluator_header(evaluator, &header);
    return header.shape.cells ? 0 : shape_init(&header.shape, 4, 4);
}

static unsigned stage_of(const void *evaluator, struct board b) { return evaluator_stage(evaluator, b); }

// Completes what the option left open, and tells in the header what games depend on.
static int choose_starts(const struct evaluator *evaluator) {
    char *to = header.player, text[STARTS_TEXT], number[NUMBER_TEXT];
    size_t size = sizeof header.player, n = strlen(to);
    starts.lines = (unsigned)lockstep;
    if (starts.carousel) {
        starts.stages = evaluator_stages(evaluator);
        starts.stage = stage_of;
        starts.context = evaluator;
        if (starts.stages < 2) return fail("%s: has one stage, and the carousel needs several", weights);
    }
    if (starts.jump || starts.restart || starts.carousel)
        n += (size_t)snprintf(to + n, size - n, ", start %s", starts_text(&starts, text));
    if (epsilon > 0) snprintf(to + n, size - n, ", epsilon %s", number_text(epsilon, number));
    return starts_fit(&starts, &header.shape);
}

int main(int argc, char **argv) {
    command_parse(&command, argc, argv);
    if (!episodes && !moves) command_misuse("one of -n and -m is needed");
    if (lockstep && (!weights || !to_a_pipe()))
        command_misuse("--lockstep needs -w and a learner behind a pipe");
    if (starts.carousel && !weights) command_misuse("--start carousel needs the stages of -w");
    if (epsilon > 0 && !weights) command_misuse("--epsilon needs -w: without it all moves are random");
    struct evaluator *evaluator = weights ? evaluator_open(weights) : NULL;
    if ((weights && !evaluator) || choose_game(evaluator) || choose_starts(evaluator)) return command_failed();
    struct view view = {.by_moves = moves != 0, .evaluator = evaluator};
    if (lockstep && evaluator_episodes(evaluator, &view.before)) return command_failed();
    struct out *out = view.out = out_open(output, OUT_BINARY);
    if (!out) return command_failed();
    view.line = progress_start(moves ? "moves" : "episodes", moves ? moves : episodes, quiet);
    struct generate spec = {.player = evaluator ? evaluator_player(evaluator) : &player_random,
                            .episodes = episodes ? episodes : UINT64_MAX,
                            .moves = moves ? moves : UINT64_MAX,
                            .threads = lockstep ? 1 : command_threads(threads),
                            .batch = (unsigned)lockstep,
                            .starts = starts,
                            .epsilon = epsilon,
                            .tell = tell,
                            .context = &view};
    uint64_t played = 0, made = 0;
    command_begin();
    int status = episode_generate(&spec, &header, out, &played, &made);
    progress_end(&view.line);
    if (status) return out_abort(out), command_failed();
    if (out_close(out)) return command_failed();
    command_summary(verbose, "episodes=%" PRIu64 " moves=%" PRIu64 " moves_per_second=%.0f", played,
                    made, (double)made / command_seconds());
    evaluator_close(evaluator);
    return 0;
}
