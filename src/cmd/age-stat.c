// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "solve/moves.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/out.h"
#include "util/progress.h"

static const char *directory, *values, *output;
static uint64_t from, to = UINT64_MAX, memory, threads, sample, seed = 1;
static int check, fast, quiet, verbose;

static const struct option_spec options[] = {
    {.letter = 'd', .name = "directory", .arg = "DIR", .kind = OPTION_FILE, .to = &directory,
     .help = "the solution's directory"},
    {.name = "values", .arg = "NAME", .kind = OPTION_TEXT, .to = &values,
     .help = "which values of the directory", .standard = "score"},
    {.name = "from", .arg = "AGE", .kind = OPTION_U64, .to = &from, .help = "the first age to print",
     .standard = "the first"},
    {.name = "to", .arg = "AGE", .kind = OPTION_U64, .to = &to, .help = "the last age to print",
     .standard = "the last"},
    {.name = "fast", .kind = OPTION_FLAG, .to = &fast,
     .help = "leave out what needs a look at every state: mean_gap, near_share"},
    {.name = "check", .kind = OPTION_FLAG, .to = &check,
     .help = "instead compare every file with its SHA-256"},
    {.name = "sample", .arg = "N", .kind = OPTION_U64, .to = &sample,
     .help = "with --check: compare N random values with those of their successors"},
    OPTION_SEED(seed),
    {.name = "memory", .arg = "SIZE", .kind = OPTION_SIZE, .to = &memory, .min = 1 << 20,
     .help = "stay within SIZE bytes", .standard = "half of what the machine has"},
    OPTION_THREADS(threads),
    OPTION_OUTPUT(output),
    OPTION_QUIET(quiet),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "age-stat",
    .purpose = "print what a solution holds, age by age, or check its files",
    .usage = "-d DIR [--values NAME] [--from AGE] [--to AGE] [--fast | --check] [-o FILE]",
    .example = "age-stat -d solution --fast | cut -f 1-3",
    .options = options,
};

// A share or a mean, or - if there is nothing to share.
static const char *ratio(double a, uint64_t b, char text[NUMBER_TEXT]) {
    return b ? number_text(a / (double)b, text) : "-";
}

// Bits an ID that a set without any structure would need: log2(e u / m).
static const char *bound(const struct set *set, char text[NUMBER_TEXT]) {
    double n = (double)set_count(set), u = (double)set_last(set) - (double)set_first(set) + 1;
    return set_count(set) ? number_text(log2(M_E * u / n), text) : "-";
}

static int print_age(struct out *out, struct solution *s, const struct age_line *a) {
    const struct value_line *v = backward_manifest_age(solution_values(s), a->age);
    struct moves_stat moves = {0};
    char text[8][NUMBER_TEXT];
    int why;
    const struct solution_age *files = solution_age(s, a->age, &why);
    if (!files) return -1;
    if (v && !fast && moves_stat(s, a->age, command_threads(threads), memory, &moves)) return -1;
    if (v && !fast && moves.states != a->states)
        return fail("%s: age %" PRIu64 " has %" PRIu64 " states, the manifest says %" PRIu64, directory,
                    a->age, moves.states, a->states);
    uint64_t alive = moves.states - a->terminal;
    return out_printf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a->age,
                      a->states, a->afterstates, ratio((double)a->terminal, a->states, text[0]),
                      v ? number_text(v->best, text[1]) : "-",
                      ratio((double)a->empty, a->afterstates, text[2]),
                      moves.choices ? number_text(moves.gap, text[3]) : "-",
                      v && !fast ? ratio((double)moves.near, alive, text[4]) : "-",
                      ratio(8 * (double)a->bytes, a->afterstates, text[5]), bound(files->set, text[6]),
                      v ? ratio((double)v->bytes, a->afterstates, text[7]) : "-");
}

static int print_all(struct out *out, struct solution *s) {
    const struct forward_manifest *m = solution_ages(s);
    struct progress progress = progress_start("ages", m->n, quiet);
    if (out_printf(out, "age\tstates\tafterstates\tterminal_share\tbest_value\tmean_empty\tmean_gap\t"
                        "near_share\tbits_per_id\tbound_bits_per_id\tbytes_per_value\n"))
        return -1;
    for (size_t i = 0; i < m->n; i++) {
        progress_show(&progress, i, NULL);
        if (m->age[i].age >= from && m->age[i].age <= to && print_age(out, s, &m->age[i])) return -1;
    }
    progress_end(&progress);
    return 0;
}

static int print_checks(struct out *out, struct solution *s) {
    uint64_t files[2] = {0, 0}, bytes = 0, drawn = solution_values(s)->n ? sample : 0;
    double worst = 0;
    char text[NUMBER_TEXT];
    unsigned n = command_threads(threads);
    if (solution_check(directory, n, files, &bytes) || solution_sample(s, drawn, seed, n, &worst))
        return -1;
    return out_printf(out,
                      "afterstates_files\t%" PRIu64 "\nvalues_files\t%" PRIu64 "\nbytes\t%" PRIu64
                      "\nvalues_checked\t%" PRIu64 "\nworst_difference\t%s\n",
                      files[0], files[1], bytes, drawn, number_text(worst, text));
}

int main(int argc, char **argv) {
    command_parse(&command, argc, argv);
    if (!directory) command_misuse("-d is needed");
    if (check && fast) command_misuse("only one of --fast and --check");
    if (sample && !check) command_misuse("--sample goes with --check");
    if (!memory) memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    struct solution *s = solution_open(directory, values);
    struct out *out = s ? out_open(output, OUT_TEXT) : NULL;
    int status = !out ? -1 : check ? print_checks(out, s) : print_all(out, s);
    if (status == 0)
        status = out_close(out);
    else
        out_abort(out);
    uint64_t ages = s ? solution_ages(s)->n : 0;
    solution_close(s);
    if (status) return command_failed();
    command_summary(verbose, "ages=%" PRIu64, ages);
    return 0;
}
