// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "solve/forward.h"
#include "solve/ids_stream.h"
#include "solve/set.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/progress.h"

static struct shape shape;
static struct {
    uint64_t i, of;
} part;
static double p4 = -1;
static uint64_t to, memory, threads, merge, ids;
static const char *directory, *output;
static int quiet, verbose;

static int parse_shape(const char *text, void *into) { return shape_parse(text, into); }

// "I/M" with 1 <= I <= M.
static int parse_part(const char *text, void *into) {
    (void)into;
    char number[24];
    const char *slash = strchr(text, '/');
    if (!slash || (size_t)(slash - text) >= sizeof number) return fail("not I/M, such as 2/8");
    snprintf(number, sizeof number, "%.*s", (int)(slash - text), text);
    return number_u64(slash + 1, 1, 4096, &part.of) || number_u64(number, 1, part.of, &part.i) ? -1 : 0;
}

static const struct option_spec options[] = {
    {.letter = 'b', .name = "board", .arg = "RxC", .kind = OPTION_CALL, .to = &shape,
     .parse = parse_shape, .help = "rows and columns of the board", .standard = "the directory's"},
    {.letter = 'd', .name = "directory", .arg = "DIR", .kind = OPTION_FILE, .to = &directory,
     .help = "the solution's directory; made if it is not there"},
    {.name = "to", .arg = "AGE", .kind = OPTION_U64, .to = &to, .min = 4, .max = 65536,
     .help = "stop after this age", .standard = "the last"},
    {.name = "memory", .arg = "SIZE", .kind = OPTION_SIZE, .to = &memory, .min = 1 << 20,
     .help = "stay within SIZE bytes", .standard = "half of what the machine has"},
    {.name = "p4", .arg = "P", .kind = OPTION_F64, .to = &p4, .low = 0, .high = 1,
     .help = "probability that a new tile is a 4", .standard = "0.1, or the directory's"},
    {.name = "part", .arg = "I/M", .kind = OPTION_CALL, .to = &part, .parse = parse_part,
     .help = "only part I of M of the next age, as a run for --merge"},
    {.name = "merge", .arg = "M", .kind = OPTION_U64, .to = &merge, .min = 1, .max = 4096,
     .help = "make the next age of the runs of its M parts"},
    {.name = "ids", .arg = "AGE", .kind = OPTION_U64, .to = &ids, .min = 4, .max = 65536,
     .help = "write the IDs of an age's afterstates instead"},
    OPTION_THREADS(threads),
    OPTION_OUTPUT(output),
    OPTION_QUIET(quiet),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "age-enumerate",
    .purpose = "find all reachable afterstates of a board, age by age",
    .usage = "-d DIR [-b RxC] [--to AGE] [--memory SIZE] [--part I/M | --merge M | --ids AGE]",
    .example = "age-enumerate -b 2x3 -d solution",
    .options = options,
};

static void tell(void *context, const struct age_line *age, uint64_t states) {
    char note[64];
    snprintf(note, sizeof note, "age %" PRIu64 ": %" PRIu64, age->age, age->states);
    progress_show(context, states, note);
}

static int print_ids(void) {
    struct journal *j = journal_open(directory, JOURNAL_READ);
    struct forward_manifest m = {0};
    char name[NAME_TEXT];
    int status = j ? forward_manifest_read(j, &m) : -1;
    const struct age_line *line = status ? NULL : forward_manifest_age(&m, ids);
    if (status == 0 && !line)
        status = fail("%s: age %" PRIu64 " is not enumerated", directory, ids);
    struct set *set = line ? set_open(journal_path(j, afterstates_name(ids, name))) : NULL;
    struct out *out = set ? out_open(output, OUT_BINARY) : NULL;
    if (!out) status = -1;
    if (status == 0) status = ids_stream_put_set(out, set);
    if (status == 0)
        status = out_close(out);
    else
        out_abort(out);
    set_close(set);
    forward_manifest_free(&m);
    journal_close(j);
    return status;
}

int main(int argc, char **argv) {
    command_parse(&command, argc, argv);
    if (!directory) command_misuse("-d is needed");
    if ((part.i != 0) + (merge != 0) + (ids != 0) > 1)
        command_misuse("only one of --part, --merge and --ids");
    if (ids) return print_ids() ? command_failed() : 0;
    if (!memory) memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    struct progress progress = progress_start("states", 0, quiet);
    struct forward_options run = {command_threads(threads), memory, to ? to : UINT64_MAX, tell,
                                  &progress};
    struct forward *f = forward_open(directory, &shape, p4, &run, part.i != 0);
    if (!f) return command_failed();
    int status = part.i  ? forward_part(f, (unsigned)part.i - 1, (unsigned)part.of)
                 : merge ? forward_merge(f, (unsigned)merge)
                         : forward_run(f);
    progress_end(&progress);
    const struct forward_manifest *m = forward_manifest(f);
    uint64_t states = 0, afterstates = 0, terminal = 0, bytes = 0;
    for (size_t i = 0; i < m->n; i++) {
        states += m->age[i].states;
        afterstates += m->age[i].afterstates;
        terminal += m->age[i].terminal;
        bytes += m->age[i].bytes;
    }
    if (status == 0)
        command_summary(verbose,
                        "ages=%zu states=%" PRIu64 " afterstates=%" PRIu64 " terminal=%" PRIu64
                        " bytes=%" PRIu64 " complete=%d",
                        m->n, states, afterstates, terminal, bytes, m->complete);
    int code = status ? command_failed() : 0;
    forward_close(f);
    return code;
}
