// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>

#include "ntuple/weights.h"
#include "util/command.h"
#include "util/fail.h"

static double init;
static int dry_run;
static const char *output;

static const struct option_spec options[] = {
    {.name = "init", .arg = "TOTAL", .kind = OPTION_F64, .to = &init, .low = -1e9, .high = 1e9,
     .help = "value that every board starts with, spread over its weights"},
    {.name = "dry-run", .kind = OPTION_FLAG, .to = &dry_run,
     .help = "print parameters, bytes and learner_bytes, write nothing"},
    {.letter = 'o', .name = "output", .arg = "FILE", .kind = OPTION_FILE, .to = &output,
     .help = "the weights file to write"},
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "ntuple-new",
    .purpose = "make the weights file of an n-tuple network",
    .usage = "[--init TOTAL] NET -o FILE | --dry-run NET",
    .example = "ntuple-new share/networks/4x6.net -o run.w",
    .operands = 1,
    .options = options,
};

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (first == argc) command_misuse("a network definition is needed");
    if (!dry_run && !output) command_misuse("-o FILE is needed");
    struct network net;
    if (network_load(&net, argv[first])) return command_failed();
    struct layout *layout = layout_new(&net);
    int status = 0;
    if (!layout)
        status = fail("%s: %s", argv[first], fail_text());
    else if (dry_run)
        printf("parameters\t%" PRIu64 "\nbytes\t%" PRIu64 "\nlearner_bytes\t%" PRIu64 "\n",
               network_parameters(&net), weights_bytes(&net, layout),
               weights_learner_bytes(&net, layout, RULE_TC));
    else
        status = weights_create(output, &net, init, NULL);
    layout_free(layout);
    network_free(&net);
    if (status == 0 && fflush(stdout)) status = fail_errno("standard output");
    return status ? command_failed() : 0;
}
