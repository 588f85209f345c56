// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "solve/backward.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/progress.h"

static uint64_t memory, threads, precision = 16;
static const char *directory;
static int quiet, verbose, spawn, horizon;
static unsigned reach;

// "score", or "reach:TILE".
static int parse_objective(const char *text, void *to) {
    unsigned *exponent = to;
    uint64_t tile;
    *exponent = 0;
    if (strcmp(text, "score") == 0) return 0;
    if (strncmp(text, "reach:", 6) != 0) return fail("neither score nor reach:TILE");
    if (number_u64(text + 6, 8, 32768, &tile)) return -1;
    if (tile & (tile - 1)) return fail("%" PRIu64 " is no tile", tile);
    *exponent = (unsigned)__builtin_ctzll(tile);
    return 0;
}

static const struct option_spec options[] = {
    {.letter = 'd', .name = "directory", .arg = "DIR", .kind = OPTION_FILE, .to = &directory,
     .help = "the solution's directory, enumerated before"},
    {.name = "memory", .arg = "SIZE", .kind = OPTION_SIZE, .to = &memory, .min = 1 << 20,
     .help = "stay within SIZE bytes", .standard = "half of what the machine has"},
    {.name = "precision", .arg = "BITS", .kind = OPTION_U64, .to = &precision, .max = 40,
     .help = "store values to 2^-BITS"},
    {.name = "spawn", .arg = "WHO", .kind = OPTION_WORD, .to = &spawn, .words = spawn_choices,
     .help = "expected, or the best or worst cell for each new tile"},
    {.name = "objective", .arg = "WHAT", .kind = OPTION_CALL, .to = &reach, .parse = parse_objective,
     .help = "score, or reach:TILE for the probability of that tile", .standard = "score"},
    {.name = "horizon", .kind = OPTION_FLAG, .to = &horizon,
     .help = "let the game end after the last age enumerated so far"},
    OPTION_THREADS(threads),
    OPTION_QUIET(quiet),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "age-backup",
    .purpose = "find the value of every afterstate, from the last age to the first",
    .usage = "-d DIR [--objective score|reach:TILE] [--spawn WHO] [--precision BITS] [--memory SIZE]",
    .example = "age-enumerate -b 2x3 -d solution && age-backup -v -d solution",
    .options = options,
};

static void tell(void *context, const struct value_line *age, uint64_t done, uint64_t all) {
    char note[64];
    struct progress *p = context;
    p->total = all;
    snprintf(note, sizeof note, "age %" PRIu64, age->age);
    progress_show(p, done, note);
}

int main(int argc, char **argv) {
    command_parse(&command, argc, argv);
    if (!directory) command_misuse("-d is needed");
    if (!memory) memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    struct progress progress = progress_start("afterstates", 0, quiet);
    struct backward_options run = {
        .threads = command_threads(threads), .memory = memory, .tell = tell, .context = &progress,
        .objective = {(enum spawn_choice)spawn, reach, (unsigned)precision, horizon}};
    struct backward *b = backward_open(directory, &run);
    if (!b) return command_failed();
    int status = backward_run(b);
    progress_end(&progress);
    const struct backward_manifest *m = backward_manifest(b);
    uint64_t bytes = 0;
    for (size_t i = 0; i < m->n; i++) bytes += m->value[i].bytes;
    char all[NUMBER_TEXT];
    if (status == 0)
        command_summary(verbose, "ages=%zu bytes=%" PRIu64 " value=%s", m->n, bytes,
                        number_text(m->start.all, all));
    int code = status ? command_failed() : 0;
    backward_close(b);
    return code;
}
