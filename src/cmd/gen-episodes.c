// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "search/evaluator.h"
#include "util/command.h"
#include "util/progress.h"

static struct episode_header header = {.p4 = 0.1, .seed = 1, .player = "random"};
static uint64_t episodes, moves, threads;
static const char *output, *weights;
static int lockstep, quiet, verbose;

static int parse_shape(const char *text, void *to) { return shape_parse(text, to); }

static const struct option_spec options[] = {
    {.letter = 'b', .name = "board", .arg = "RxC", .kind = OPTION_CALL, .to = &header.shape,
     .parse = parse_shape, .help = "rows and columns of the board", .standard = "4x4"},
    {.letter = 'n', .name = "episodes", .arg = "N", .kind = OPTION_U64, .to = &episodes, .min = 1,
     .help = "play N episodes", .standard = "no limit"},
    {.letter = 'm', .name = "moves", .arg = "N", .kind = OPTION_U64, .to = &moves, .min = 1,
     .help = "begin no episode after N moves", .standard = "no limit"},
    {.letter = 'w', .name = "weights", .arg = "FILE", .kind = OPTION_FILE, .to = &weights,
     .help = "play by these weights, or perfectly by this solved directory", .standard = "random moves"},
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
    .usage = "[-b RxC] -n EPISODES | -m MOVES [-w FILE] [-s SEED] [-t THREADS] [-o FILE]",
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

int main(int argc, char **argv) {
    command_parse(&command, argc, argv);
    if (!episodes && !moves) command_misuse("one of -n and -m is needed");
    if (lockstep && (!weights || !to_a_pipe()))
        command_misuse("--lockstep needs -w and a learner behind a pipe");
    struct evaluator *evaluator = weights ? evaluator_open(weights) : NULL;
    if ((weights && !evaluator) || choose_game(evaluator)) return command_failed();
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
