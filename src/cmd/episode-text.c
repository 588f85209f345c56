// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "episode/draw.h"
#include "episode/text.h"
#include "util/command.h"
#include "util/fail.h"

static const char *const colours[] = {"auto", "always", "never", NULL};
static int reverse, show, colour;
static uint64_t only, delay;
static const char *output;

static const struct option_spec options[] = {
    {.letter = 'r', .name = "reverse", .kind = OPTION_FLAG, .to = &reverse,
     .help = "from text back to the identical stream"},
    {.letter = 'e', .name = "episode", .arg = "N", .kind = OPTION_U64, .to = &only, .min = 1,
     .help = "only episode N, counted from 1", .standard = "all"},
    {.name = "show", .kind = OPTION_FLAG, .to = &show, .help = "draw the boards"},
    {.name = "colour", .arg = "WHEN", .kind = OPTION_WORD, .to = &colour, .words = colours,
     .help = "auto, always or never: coloured tiles with --show"},
    {.name = "delay", .arg = "MS", .kind = OPTION_U64, .to = &delay, .max = 60000,
     .help = "with --show: redraw in place, a board every MS milliseconds"},
    OPTION_OUTPUT(output),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "episode-text",
    .purpose = "show episodes as text that a person can follow, and turn it back",
    .usage = "[-r] [--episode N] [--show] [-o FILE] [FILE]",
    .example = "gen-episodes -n 1 -s 3 | episode-text --show",
    .operands = 1,
    .options = options,
};

static int want_colour(void) {
    if (colour) return colour == 1;
    return !output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

// One picture: a caption and a board, in place or below the last one.
static int show_board(struct out *out, const struct shape *s, struct board b, const char *caption) {
    if (delay && out_printf(out, "\033[H\033[J")) return -1;
    if (out_printf(out, "%s\n", caption) || draw_board(out, s, b, want_colour()) ||
        out_printf(out, "\n"))
        return -1;
    if (!delay) return 0;
    struct timespec pause = {(time_t)(delay / 1000), (long)(delay % 1000) * 1000000};
    nanosleep(&pause, NULL);
    return out_flush(out);
}

static int show_episode(struct out *out, const struct shape *s, const struct episode *e,
                        uint64_t number) {
    char caption[160];
    struct board b = e->start;
    uint64_t score = 0;
    snprintf(caption, sizeof caption, "episode %" PRIu64 ", start (%s)", number,
             episode_starts[e->how]);
    int bad = show_board(out, s, b, caption);
    for (uint32_t i = 0; i < e->steps && !bad; i++) {
        uint8_t step = e->step[i];
        uint32_t reward = board_slide(s, b, step_move(step), &b);
        b = board_put(b, step_cell(step), step_exponent(step));
        score += reward;
        snprintf(caption, sizeof caption, "step %" PRIu32 ": %s +%" PRIu32 ", score %" PRIu64,
                 i + 1, move_names[step_move(step)], reward, score);
        bad = show_board(out, s, b, caption);
    }
    return bad;
}

// Prints or draws one episode of the present stream.
static int print_episode(struct out *out, struct episode_reader *r, const struct episode *e,
                         uint64_t number) {
    const struct shape *s = &episode_header(r)->shape;
    struct episode_result result;
    if (episode_replay(r, e, &result)) return -1;
    if (only && number != only) return 0;
    if (show) return show_episode(out, s, e, number);
    if (only && episode_text_header(out, episode_header(r))) return -1;
    if (episode_text_episode(out, s, e, number)) return -1;
    return only ? episode_text_end(out, 1, e->steps) : 0;
}

// Streams to text or pictures.
static int print_all(struct in *in, struct out *out) {
    struct episode_reader *r = episode_open(in);
    if (!r) return -1;
    struct episode e;
    uint64_t number = 0, episodes = 0, moves = 0, streams = 0;
    int whole = !show && !only, got = 2;
    do {
        int bad = 0;
        if (got == 2) {
            if (whole && streams++) bad = episode_text_end(out, episodes, moves);
            if (whole && !bad) bad = episode_text_header(out, episode_header(r));
            episodes = moves = 0;
        } else {
            episodes++;
            moves += e.steps;
            bad = print_episode(out, r, &e, ++number);
        }
        got = bad ? -1 : episode_next(r, &e);
    } while (got > 0);
    if (got == 0 && only > number)
        got = fail("%s: has only %" PRIu64 " episodes", in_name(in), number);
    if (got == 0 && whole) got = episode_text_end(out, episodes, moves);
    episode_close(r);
    return got;
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (reverse && (show || only)) command_misuse("-r goes with neither --show nor --episode");
    struct in *in = in_open(argv[first]);
    if (!in) return command_failed();
    struct out *out = out_open(output, reverse ? OUT_BINARY : OUT_TEXT);
    int status = !out ? -1 : reverse ? episode_text_convert(in, out) : print_all(in, out);
    if (status)
        out_abort(out);
    else
        status = out_close(out);
    in_close(in);
    return status ? command_failed() : 0;
}
