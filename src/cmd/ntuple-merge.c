// SPDX-License-Identifier: MIT
#include <limits.h>

#include "ntuple/fold.h"
#include "util/command.h"

static int verbose;
static const char *output;

static const struct option_spec options[] = {
    {.letter = 'o', .name = "output", .arg = "FILE", .kind = OPTION_FILE, .to = &output,
     .help = "the weights file to write"},
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "ntuple-merge",
    .purpose = "average several weights files of one network",
    .usage = "FILE... -o FILE",
    .example = "ntuple-merge one.w two.w three.w -o mean.w",
    .operands = INT_MAX,
    .options = options,
};

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (first == argc) command_misuse("weights files are needed");
    if (!output) command_misuse("-o FILE is needed");
    unsigned files = (unsigned)(argc - first);
    if (fold_mean(argv + first, files, output)) return command_failed();
    command_summary(verbose, "files=%u", files);
    return 0;
}
