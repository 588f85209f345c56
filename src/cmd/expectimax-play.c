// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "search/advise.h"
#include "search/player.h"
#include "util/clock.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/progress.h"

static struct episode_header header = {.p4 = 0.1, .seed = 1};
static struct search_spec search = {.table = 16 << 20};
static uint64_t episodes, threads, depth;
static const char *output, *weights, *from, *limit;
static int advise, quiet, verbose;

static int parse_limit(const char *text, void *to) {
    limit = text;
    return search_parse_limit(text, to);
}

static int parse_tile(const char *text, void *to) {
    uint64_t tile;
    if (number_u64(text, 8, 1 << MOST_EXPONENT, &tile)) return -1;
    if (tile & (tile - 1)) return fail("is no tile");
    *(unsigned *)to = (unsigned)__builtin_ctzll(tile);
    return 0;
}

static const struct option_spec options[] = {
    {.letter = 'w', .name = "weights", .arg = "FILE", .kind = OPTION_FILE, .to = &weights,
     .help = "the evaluator: weights, or a solved directory"},
    {.letter = 'd', .name = "depth", .arg = "PLIES", .kind = OPTION_U64, .to = &depth, .min = 1,
     .max = SEARCH_PLIES, .help = "moves to look ahead; 1 is greedy", .standard = "what --time or --limit allows"},
    {.name = "time", .arg = "MS", .kind = OPTION_F64, .to = &search.milliseconds, .low = 0.01,
     .high = 1e9, .help = "milliseconds for a move", .standard = "no limit"},
    {.letter = 'n', .name = "episodes", .arg = "N", .kind = OPTION_U64, .to = &episodes, .min = 1,
     .help = "play N episodes", .standard = "none, with --advise"},
    {.name = "advise", .kind = OPTION_FLAG, .to = &advise,
     .help = "read boards as text and print what their moves are worth"},
    {.name = "from", .arg = "BOARD", .kind = OPTION_TEXT, .to = &from,
     .help = "start all games with this board", .standard = "a normal start"},
    {.name = "limit", .arg = "LIST", .kind = OPTION_CALL, .to = search.limit, .parse = parse_limit,
     .help = "plies by number of empty cells, such as 0-3:4,4-7:3,8-:2", .standard = "none"},
    {.name = "cutoff", .arg = "PROB", .kind = OPTION_F64, .to = &search.cutoff, .low = 1e-9, .high = 1,
     .help = "do not look behind states that are less likely", .standard = "look behind all"},
    {.name = "downgrade", .arg = "TILE", .kind = OPTION_CALL, .to = &search.downgrade, .parse = parse_tile,
     .help = "see boards with this tile or a larger one as if it were smaller", .standard = "never"},
    {.name = "table", .arg = "SIZE", .kind = OPTION_SIZE, .to = &search.table,
     .help = "bytes for values that were found; 0 is none", .standard = "16M"},
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
    .name = "expectimax-play",
    .purpose = "play games of 2048 looking ahead, or advise how to",
    .usage = "-w FILE (-d PLIES | --time MS) (-n EPISODES | --advise [FILE]) [options]",
    .example = "expectimax-play -w run.w -d 3 -n 10 | episode-stat",
    .operands = 1,
    .options = options,
};

static volatile sig_atomic_t interrupted;

struct view {
    struct progress line;
    struct out *out;
    _Atomic uint64_t played;
    double flushed;
};

static int stopped(void *context) {
    (void)context;
    return interrupted;
}

static void tell_moves(void *context, uint64_t moves) {
    struct view *view = context;
    char note[64];
    if (!view->line.on) return;
    snprintf(note, sizeof note, "%" PRIu64 " moves", moves);
    progress_show(&view->line, view->played, note);
}

// Games take long: what is finished is passed on soon.
static int tell_games(void *context, uint64_t played, uint64_t made) {
    struct view *view = context;
    (void)made;
    view->played = played;
    if (clock_seconds() - view->flushed < 0.1) return 0;
    view->flushed = clock_seconds();
    return out_flush(view->out);
}

// Who plays, for the header: all that the games depend on.
static void name_player(const struct evaluator *e) {
    char *to = header.player;
    size_t size = sizeof header.player, n = 0;
    char number[NUMBER_TEXT];
    n += (size_t)snprintf(to, size, "expectimax, %s", evaluator_noun(e));
    if (search.milliseconds > 0)
        n += (size_t)snprintf(to + n, size - n, ", %s ms", number_text(search.milliseconds, number));
    if (depth) n += (size_t)snprintf(to + n, size - n, ", %" PRIu64 "-ply", depth);
    if (search.downgrade) n += (size_t)snprintf(to + n, size - n, ", downgrade %u", 1u << search.downgrade);
    if (search.cutoff > 0)
        n += (size_t)snprintf(to + n, size - n, ", cutoff %s", number_text(search.cutoff, number));
    if (limit) snprintf(to + n, size - n, ", limit %s", limit); // may be long: the end is cut off
}

// What the options leave open.
static void complete_spec(const struct evaluator *e) {
    uint64_t most = 0;
    search.evaluator = e;
    search.p4 = header.p4;
    for (unsigned i = 0; i <= MOST_CELLS; i++) most = search.limit[i] > most ? search.limit[i] : most;
    if (!depth && search.milliseconds <= 0) depth = most;
    search.plies = depth ? (unsigned)depth : SEARCH_PLIES;
    for (unsigned i = 0; i <= MOST_CELLS; i++)
        if (!search.limit[i]) search.limit[i] = SEARCH_PLIES;
}

static void summarize(const struct search_player *player, uint64_t played, uint64_t made) {
    char searched[256] = "";
    double seconds = command_seconds();
    if (player) {
        struct search_player_sums sums = search_player_sums(player);
        double n = sums.moves ? (double)sums.moves : 1;
        snprintf(searched, sizeof searched,
                 " plies=%.2f ms_mean=%.4g ms_p50=%.4g ms_p99=%.4g ms_most=%.4g nodes_per_second=%.0f",
                 (double)sums.plies / n, sums.milliseconds / n, sums.p50, sums.p99, sums.most,
                 (double)sums.nodes / seconds);
    }
    command_summary(verbose, "episodes=%" PRIu64 " moves=%" PRIu64 "%s moves_per_second=%.0f", played, made,
                    searched, (double)made / seconds);
}

static int play(const struct evaluator *e, const struct board *start, struct out *out) {
    unsigned all = command_threads(threads), at_a_time = episodes < all ? (unsigned)episodes : all;
    struct view view = {.out = out};
    search.threads = all / at_a_time;
    // Greedy play has a faster player, which says who it is.
    int greedy = search.plies == 1 && !search.downgrade;
    struct search_player_spec spec = {.search = search, .games = at_a_time, .stopped = stopped,
                                      .tell = tell_moves, .context = &view};
    struct search_player *player = greedy ? NULL : search_player_new(&spec);
    if (!greedy && !player) return -1;
    if (!greedy) name_player(e);
    struct generate generate = {.player = greedy ? evaluator_player(e) : search_player(player),
                                .episodes = episodes, .moves = UINT64_MAX, .threads = at_a_time,
                                .starts = {.from = start}, .stopped = stopped, .tell = tell_games, .context = &view};
    uint64_t played, made;
    view.line = progress_start("episodes", episodes, quiet);
    command_interrupt(&interrupted);
    command_begin();
    int status = episode_generate(&generate, &header, out, &played, &made);
    progress_end(&view.line);
    if (status == 0) summarize(player, played, made);
    search_player_free(player);
    return status;
}

static int advise_all(const char *path, struct out *out) {
    uint64_t boards = 0;
    search.threads = command_threads(threads);
    struct search *s = search_new(&search);
    struct in *in = s ? in_open(path) : NULL;
    command_begin();
    int status = in ? advise_lines(in, out, s, &header.shape, &boards) : -1;
    if (status == 0) command_summary(verbose, "boards=%" PRIu64, boards);
    in_close(in);
    search_free(s);
    return status;
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    struct board start;
    if (!weights) command_misuse("-w FILE is needed");
    if (!depth && search.milliseconds <= 0 && !limit) command_misuse("one of -d, --time and --limit is needed");
    if (!episodes == !advise) command_misuse("one of -n and --advise is needed");
    if (argv[first] && !advise) command_misuse("%s: unexpected operand", argv[first]);
    if (from && advise) command_misuse("--from is for games");
    struct evaluator *e = evaluator_open(weights);
    if (!e || evaluator_header(e, &header)) return command_failed();
    if (from && board_parse(&header.shape, from, &start)) command_misuse("--from: '%s': %s", from, fail_text());
    if (from && !board_legal(&header.shape, start)) command_misuse("--from: '%s': no move is legal", from);
    complete_spec(e);
    if ((search.plies > 1 || search.downgrade || advise) && evaluator_searchable(e)) return command_failed();
    struct out *out = out_open(output, advise ? OUT_TEXT : OUT_BINARY);
    int status = !out ? -1 : advise ? advise_all(argv[first], out) : play(e, from ? &start : NULL, out);
    if (status)
        out_abort(out);
    else
        status = out_close(out);
    evaluator_close(e);
    if (status) return command_failed();
    if (interrupted) command_end_by(interrupted);
    return 0;
}
