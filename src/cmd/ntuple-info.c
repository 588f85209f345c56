// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>

#include "ntuple/weights.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"

static int verify, only_net;

static const struct option_spec options[] = {
    {.name = "verify", .kind = OPTION_FLAG, .to = &verify,
     .help = "compare the checksums of the whole file"},
    {.name = "net", .kind = OPTION_FLAG, .to = &only_net,
     .help = "print the network definition that the file contains"},
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "ntuple-info",
    .purpose = "explain a weights file, and check it",
    .usage = "[--verify] [--net] FILE",
    .example = "ntuple-info --verify run.w",
    .operands = 1,
    .options = options,
};

static void print_table(const struct weights *w, unsigned t) {
    printf("tuple_%u", t % w->net.tuples);
    if (w->net.splits) printf("_split_%u", t / w->net.tuples);
}

static void print_info(const struct weights *w) {
    static const char *const rules[] = {"none", "tc", "autostep"};
    struct weights_info i = weights_info(w);
    char init[NUMBER_TEXT];
    printf("board\t%ux%u\nvalues\t%u\ntuples\t%u\nfeatures\t%u\n", w->net.shape.rows,
           w->net.shape.cols, w->net.values, w->net.tuples, w->layout->features);
    printf("splits\t%u\nstages\t%u\n", w->layout->splits, w->layout->stages);
    printf("parameters\t%" PRIu64 "\nbytes\t%" PRIu64 "\ninit\t%s\n", i.parameters, i.bytes,
           number_text(i.init, init));
    printf("moves\t%" PRIu64 "\nepisodes\t%" PRIu64 "\naccumulators\t%s\n", i.moves, i.episodes,
           rules[i.rule]);
    printf("promoted\t%s\n", i.promoted ? "yes" : "no");
    printf("state\t%s\n", i.busy ? "being learned" : i.clean ? "clean" : "not cleanly closed");
    for (unsigned t = 0; t < w->layout->tables; t++) {
        const struct placing *p = &w->layout->table[t];
        print_table(w, t);
        printf("\tbase %" PRIu32 " scale %" PRIu32 " cells", p->base, p->scale);
        for (unsigned k = 0; k < p->n; k++) printf(" %u", p->cell[k]);
        if (w->layout->partner[t] != t) {
            fputs(" beside ", stdout);
            print_table(w, w->layout->partner[t]);
        }
        putchar('\n');
    }
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (first == argc) command_misuse("a weights file is needed");
    struct weights w;
    if (weights_open(&w, argv[first], WEIGHTS_PLAY)) return command_failed();
    if (only_net)
        fputs(w.net.text, stdout);
    else
        print_info(&w);
    int status = verify ? weights_verify(&w) : 0;
    if (status == 0 && verify && !only_net) puts("verified\tyes");
    if (fflush(stdout) && status == 0) status = fail_errno("standard output");
    int code = status ? command_failed() : 0;
    weights_close(&w);
    return code;
}
