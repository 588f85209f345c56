// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "episode/consume.h"
#include "ntuple/learn.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/progress.h"

enum { TD, TC, TD_THEN_TC, AUTOSTEP };
static const char *const rules[] = {"td", "tc", "td-then-tc", "autostep", NULL};
static const char *const updates[] = {"standard", "delayed", "backward", "auto", NULL};
enum { UPDATE_AUTO = 3 };

static int rule, update = UPDATE_AUTO, promote, lockstep, quiet, verbose;
static double rate = -1, later_rate = -1, lambda, mu = -1, tau = -1;
static uint64_t horizon = UINT64_MAX, threads = 1, every = 100000000, log_every = 1000000;
static uint64_t steps = 1, switch_at, tc_reset;
static const char *weights_path, *checkpoint, *log_path;

static struct schedule {
    double from, to;
    uint64_t moves; // 0: none
} schedule;

// FROM:TO:MOVES
static int parse_schedule(const char *text, void *to) {
    struct schedule *s = to;
    char part[3][32];
    int end = 0;
    if (sscanf(text, "%31[^:]:%31[^:]:%31[^:]%n", part[0], part[1], part[2], &end) != 3 || text[end])
        return fail("not FROM:TO:MOVES");
    return number_f64(part[0], 0, 10, &s->from) || number_f64(part[1], 0, 10, &s->to) ||
                   number_u64(part[2], 1, UINT64_MAX, &s->moves) ? -1 : 0;
}

static const struct option_spec options[] = {
    {.letter = 'w', .name = "weights", .arg = "FILE", .kind = OPTION_FILE, .to = &weights_path,
     .help = "the weights to learn, changed in place"},
    {.letter = 'r', .name = "rule", .arg = "RULE", .kind = OPTION_WORD, .to = &rule, .words = rules,
     .help = "td, tc (temporal coherence), td-then-tc or autostep"},
    {.name = "rate", .arg = "X", .kind = OPTION_F64, .to = &rate, .low = 0, .high = 10,
     .help = "learning rate; 1 removes a whole error at once", .standard = "0.1 for td, 1 for others"},
    {.name = "rate-schedule", .arg = "FROM:TO:MOVES", .kind = OPTION_CALL, .to = &schedule,
     .parse = parse_schedule, .help = "the rate goes from FROM to TO in MOVES", .standard = "none"},
    {.name = "switch", .arg = "MOVES", .kind = OPTION_U64, .to = &switch_at, .min = 1,
     .help = "moves after which td-then-tc goes over to tc", .standard = "none"},
    {.name = "tc-rate", .arg = "X", .kind = OPTION_F64, .to = &later_rate, .low = 0, .high = 10,
     .help = "the rate of td-then-tc from then on", .standard = "1"},
    {.name = "tc-reset", .arg = "MOVES", .kind = OPTION_U64, .to = &tc_reset, .min = 1,
     .help = "moves after which all rates of tc start anew", .standard = "never"},
    {.name = "mu", .arg = "X", .kind = OPTION_F64, .to = &mu, .low = 0, .high = 1,
     .help = "how fast autostep changes step sizes", .standard = "0.1"},
    {.name = "tau", .arg = "X", .kind = OPTION_F64, .to = &tau, .low = 0, .high = 1,
     .help = "how fast it forgets how much they may change", .standard = "0.0001"},
    {.name = "lambda", .arg = "X", .kind = OPTION_F64, .to = &lambda, .low = 0, .high = 1,
     .help = "how much an error reaches back"},
    {.name = "horizon", .arg = "N", .kind = OPTION_U64, .to = &horizon, .max = MOST_HORIZON,
     .help = "how many moves it reaches back", .standard = "until lambda^N < 0.1"},
    {.name = "steps", .arg = "N", .kind = OPTION_U64, .to = &steps, .min = 1, .max = MOST_RETURN,
     .help = "rewards in a target before the value that follows"},
    {.name = "update", .arg = "WHEN", .kind = OPTION_WORD, .to = &update, .words = updates,
     .help = "standard, delayed, backward or auto", .standard = "standard, but delayed with lambda > 0 or steps > 1"},
    {.name = "promote", .kind = OPTION_FLAG, .to = &promote,
     .help = "a weight's first use in a stage starts from the stage before"},
    OPTION_THREADS(threads),
    {.name = "checkpoint", .arg = "FILE", .kind = OPTION_FILE, .to = &checkpoint,
     .help = "keep a complete copy in FILE", .standard = "none"},
    {.name = "every", .arg = "MOVES", .kind = OPTION_U64, .to = &every, .min = 1,
     .help = "moves between checkpoints"},
    {.name = "log", .arg = "FILE", .kind = OPTION_FILE, .to = &log_path,
     .help = "append progress to FILE as TSV", .standard = "none"},
    {.name = "log-every", .arg = "MOVES", .kind = OPTION_U64, .to = &log_every, .min = 1,
     .help = "moves between lines of the log"},
    {.name = "lockstep", .kind = OPTION_FLAG, .to = &lockstep,
     .help = "with gen-episodes --lockstep: the same seed, the same weights"},
    OPTION_QUIET(quiet),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "ntuple-learn",
    .purpose = "learn the weights of an n-tuple network from episodes",
    .usage = "-w FILE [--rule RULE] [--rate X] [--lambda X] [--checkpoint FILE] [FILE]",
    .example = "gen-episodes -w run.w -n 100000 | ntuple-learn -w run.w --rule tc",
    .operands = 1,
    .options = options,
};

// What the threads share; counts are of this run.
struct session {
    struct weights weights;
    struct learner *learner;
    struct learn_error *error; // a thread each
    struct progress progress;
    FILE *log;
    uint64_t moves, episodes;
    // Since the last line of the log or the screen:
    uint64_t logged, part_episodes, part_score;
    double seconds; // of learning, without opening and closing
    struct learn_error part;
    double since;
};

static int use(void *context, unsigned thread, const struct trace *t) {
    struct session *s = context;
    struct learn_episode e = {t->after, t->reward, t->steps, t->cut};
    learner_look(&s->learner[thread], *s->weights.moves);
    if (learner_learn(&s->learner[thread], &e, &s->error[thread]))
        return fail("%s: %s", s->weights.path, fail_text());
    uint64_t now = atomic_fetch_add(s->weights.moves, t->steps) + t->steps;
    // Of all learners, the one that comes past the mark.
    if (tc_reset && now / tc_reset != (now - t->steps) / tc_reset) weights_reset(&s->weights);
    // Last, and seen by a generator in lockstep only after all weights.
    *s->weights.episodes += 1;
    return 0;
}

static int write_log(struct session *s) {
    double now = command_seconds();
    if (s->log)
        fprintf(s->log, "%" PRIu64 "\t%" PRIu64 "\t%.0f\t%.1f\t%.4g\n", (uint64_t)*s->weights.moves,
                (uint64_t)*s->weights.episodes, (double)(s->moves - s->logged) / (now - s->since),
                (double)s->part_score / (double)s->part_episodes,
                s->part.n ? s->part.sum / (double)s->part.n : 0);
    s->logged = s->moves;
    s->part_episodes = s->part_score = 0;
    s->part = (struct learn_error){0};
    s->since = now;
    return s->log && fflush(s->log) ? fail_errno(log_path) : 0;
}

static int count(void *context, unsigned thread, const struct trace *t) {
    struct session *s = context;
    char note[64];
    s->moves += t->steps;
    s->episodes++;
    s->part_episodes++;
    s->part_score += t->score;
    s->part.sum += s->error[thread].sum;
    s->part.n += s->error[thread].n;
    s->error[thread] = (struct learn_error){0};
    snprintf(note, sizeof note, "score %.0f, error %.3g",
             (double)s->part_score / (double)s->part_episodes,
             s->part.n ? s->part.sum / (double)s->part.n : 0);
    progress_show(&s->progress, s->moves, note);
    return s->moves - s->logged >= log_every ? write_log(s) : 0;
}

static int rest(void *context) {
    struct session *s = context;
    return checkpoint ? weights_snapshot(&s->weights, checkpoint) : 0;
}

static int open_log(struct session *s) {
    if (!log_path) return 0;
    s->log = fopen(log_path, "a");
    if (!s->log) return fail_errno(log_path);
    if (ftell(s->log) == 0) fputs("moves\tepisodes\tmoves_per_second\tmean_score\tmean_error\n", s->log);
    return 0;
}

static int same_board(const struct session *s, const struct episode_reader *r) {
    const struct shape *a = &s->weights.net.shape, *b = &episode_header(r)->shape;
    if (a->rows == b->rows && a->cols == b->cols) return 0;
    return fail("%s: is for %ux%u boards, the episodes have %ux%u", s->weights.path, a->rows,
                a->cols, b->rows, b->cols);
}

// Learns from all episodes of an open stream.
static int learn_all(struct session *s, struct episode_reader *r, const struct learn_rule *how) {
    unsigned n = lockstep ? 1 : command_threads(threads), ready = 0;
    struct consume spec = {n, checkpoint ? every : 0, s, use, count, rest};
    s->learner = fail_alloc(n, sizeof *s->learner);
    s->error = calloc(n, sizeof *s->error);
    int status = s->learner && s->error ? 0 : -1;
    if (status == 0 && how->accumulators) status = weights_accumulate(&s->weights, how->accumulators);
    if (status == 0 && promote) status = weights_promote(&s->weights);
    while (status == 0 && ready < n) {
        status = learner_init(&s->learner[ready], &s->weights, how);
        if (status == 0) ready++;
    }
    s->progress = progress_start("moves", 0, quiet);
    command_begin();
    if (status == 0) status = episode_consume(r, &spec);
    s->seconds = command_seconds();
    if (status == 0 && s->part_episodes) status = write_log(s);
    if (status == 0 && checkpoint) status = rest(s);
    progress_end(&s->progress);
    while (ready) learner_free(&s->learner[--ready]);
    free(s->learner);
    free(s->error);
    return status;
}

static void check_options(void) {
    if (!weights_path) command_misuse("-w FILE is needed");
    if (rate >= 0 && schedule.moves) command_misuse("--rate and --rate-schedule exclude each other");
    if (rule == TD_THEN_TC && !switch_at) command_misuse("--rule td-then-tc needs --switch MOVES");
    if (rule != TD_THEN_TC && switch_at) command_misuse("--switch is for --rule td-then-tc");
    if (rule != TD_THEN_TC && later_rate >= 0) command_misuse("--tc-rate is for --rule td-then-tc");
    if (steps > 1 && lambda > 0) command_misuse("--steps above 1 has no --lambda above 0");
    if (steps > 1 && update == UPDATE_STANDARD)
        command_misuse("--steps above 1 is delayed or backward: its targets are not known at once");
    if (rule != AUTOSTEP && (mu >= 0 || tau >= 0)) command_misuse("--mu and --tau are for --rule autostep");
    if (rule == AUTOSTEP && lambda > 0) command_misuse("--rule autostep has no --lambda above 0");
    if (rule == AUTOSTEP && schedule.moves)
        command_misuse("--rule autostep has no --rate-schedule: its rate is a first one");
    if ((rule == TD || rule == AUTOSTEP) && tc_reset) command_misuse("--tc-reset is for --rule tc and td-then-tc");
}

// The options as the library wants them.
static struct learn_rule chosen_rule(void) {
    static const enum weights_rule accumulators[] = {RULE_NONE, RULE_TC, RULE_TC, RULE_AUTOSTEP};
    return (struct learn_rule){
        .accumulators = accumulators[rule],
        .update = update != UPDATE_AUTO ? (enum learn_update)update
                  : lambda > 0 || steps > 1 ? UPDATE_DELAYED
                                            : UPDATE_STANDARD,
        .rate = schedule.moves ? schedule.from : rate >= 0 ? rate : rule == TC || rule == AUTOSTEP ? 1 : 0.1,
        .lambda = lambda,
        .horizon = horizon <= MOST_HORIZON ? (unsigned)horizon : learn_horizon(lambda),
        .steps = (unsigned)steps,
        .mu = mu >= 0 ? mu : 0.1,
        .tau = tau >= 0 ? tau : 0.0001,
        .last_rate = schedule.to,
        .rate_moves = schedule.moves,
        .td_moves = switch_at,
        .later_rate = later_rate >= 0 ? later_rate : 1,
    };
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    check_options();
    struct learn_rule how = chosen_rule();
    struct session s = {0};
    struct in *in = in_open(argv[first]);
    struct episode_reader *r = in ? episode_open(in) : NULL;
    int status = r ? weights_open(&s.weights, weights_path, lockstep ? WEIGHTS_ALONE : WEIGHTS_LEARN) : -1;
    if (status == 0) {
        status = same_board(&s, r) || open_log(&s) || learn_all(&s, r, &how) ? -1 : 0;
        char reason[512];
        snprintf(reason, sizeof reason, "%s", fail_text());
        if (s.log && fclose(s.log) && status == 0) status = fail_errno(log_path);
        if (weights_close(&s.weights) && status == 0)
            status = -1;
        else if (status)
            fail("%s", reason);
    }
    episode_close(r);
    in_close(in);
    if (status) return command_failed();
    command_summary(verbose, "episodes=%" PRIu64 " moves=%" PRIu64 " moves_per_second=%.0f",
                    s.episodes, s.moves, (double)s.moves / s.seconds);
    return 0;
}
