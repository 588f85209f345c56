// SPDX-License-Identifier: MIT
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
    .name = "ntuple-fold",
    .purpose = "fold small tuples into larger ones: the same values from fewer look-ups",
    .usage = "WEIGHTS -o FILE",
    .example = "ntuple-fold learned.w -o folded.w",
    .operands = 1,
    .options = options,
};

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (first == argc) command_misuse("a weights file is needed");
    if (!output) command_misuse("-o FILE is needed");
    struct weights w;
    if (weights_open(&w, argv[first], WEIGHTS_PLAY)) return command_failed();
    unsigned stay = fold_plan(&w.net).stay, each = w.layout->features / w.net.tuples;
    int status = fold_weights(&w, output) ? command_failed() : 0;
    if (status == 0)
        command_summary(verbose, "tuples=%u folded=%u features=%u", w.net.tuples, w.net.tuples - stay,
                        stay * each);
    weights_close(&w);
    return status;
}
