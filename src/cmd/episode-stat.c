// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "episode/tally.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/progress.h"

static int each, quiet, verbose;
static int started = -1; // which starts count; -1: all
static const char *output;

static int parse_started(const char *text, void *to) {
    int *how = to;
    for (*how = 0; *how < STARTS; ++*how)
        if (strcmp(text, episode_starts[*how]) == 0) return 0;
    return fail("must be normal, given, restart, carousel or jump");
}

static const struct option_spec options[] = {
    {.letter = 'e', .name = "each", .kind = OPTION_FLAG, .to = &each,
     .help = "one line an episode: index, score, moves, max_tile"},
    {.name = "started", .arg = "HOW", .kind = OPTION_CALL, .to = &started, .parse = parse_started,
     .help = "count only episodes that started so: normal, restart, ...", .standard = "all"},
    OPTION_OUTPUT(output),
    OPTION_QUIET(quiet),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "episode-stat",
    .purpose = "check an episode stream and print its scores and tiles",
    .usage = "[--each] [--started HOW] [-o FILE] [FILE]",
    .example = "gen-episodes -b 3x3 -n 10000 | episode-stat",
    .operands = 1,
    .options = options,
};

static int line(struct out *out, const char *key, double value) {
    char text[NUMBER_TEXT];
    return out_printf(out, "%s\t%s\n", key, number_text(value, text));
}

static int count(struct out *out, const char *key, uint64_t value) {
    return out_printf(out, "%s\t%" PRIu64 "\n", key, value);
}

static int print_summary(struct out *out, struct tally *t) {
    int bad = count(out, "episodes", t->episodes) | count(out, "moves", t->moves);
    if (t->episodes == 0) return bad;
    struct tally_summary s = tally_summary(t);
    bad |= line(out, "mean_score", s.mean) | line(out, "stddev_score", s.deviation) |
           line(out, "ci95_score", s.ci95) | line(out, "median_score", s.median) |
           count(out, "max_score", s.most) | count(out, "min_score", s.least) |
           line(out, "mean_moves", (double)t->moves / (double)t->episodes) |
           count(out, "max_tile", s.max ? (uint64_t)1 << s.max : 0);
    for (unsigned e = 1; e <= s.max; e++) {
        char key[32], text[NUMBER_TEXT];
        snprintf(key, sizeof key, "reach_%lu", 1ul << e);
        number_text((double)tally_reached(t, e) / (double)t->episodes, text);
        bad |= out_printf(out, "%s\t%s\n", key, text);
    }
    return bad;
}

static int print_each(struct out *out, uint64_t index, const struct episode *e,
                      const struct episode_result *r) {
    return out_printf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu32 "\t%lu\n", index, r->score, e->steps,
                      r->max ? 1ul << r->max : 0);
}

// Reads all episodes into the tally; with --each, prints each one.
static int read_all(struct episode_reader *reader, struct out *out, struct tally *t) {
    struct episode e;
    struct episode_result result;
    struct progress progress = progress_start("episodes", 0, quiet);
    uint64_t index = 0;
    int got;
    if (each && out_printf(out, "index\tscore\tmoves\tmax_tile\n")) return -1;
    for (; (got = episode_read(reader, &e)) > 0; index++) {
        if (episode_replay(reader, &e, &result)) return -1;
        if (index % 64 == 0) progress_show(&progress, index, NULL);
        if (started >= 0 && (int)e.how != started) continue;
        if (each && print_each(out, index, &e, &result)) return -1;
        if (tally_add(t, &result, e.steps)) return -1;
    }
    progress_end(&progress);
    return got;
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    struct in *in = in_open(argv[first]);
    if (!in) return command_failed();
    struct out *out = out_open(output, OUT_TEXT);
    struct episode_reader *reader = out ? episode_open(in) : NULL;
    struct tally tally = {0};
    int status = reader ? read_all(reader, out, &tally) : -1;
    if (status == 0 && !each) status = print_summary(out, &tally);
    if (status == 0)
        status = out_close(out);
    else
        out_abort(out);
    int code = status ? command_failed() : 0;
    if (code == 0)
        command_summary(verbose, "episodes=%" PRIu64 " moves=%" PRIu64 " moves_per_second=%.0f",
                        tally.episodes, tally.moves, (double)tally.moves / command_seconds());
    tally_free(&tally);
    episode_close(reader);
    in_close(in);
    return code;
}
