// SPDX-License-Identifier: MIT
#include "ntuple/tdl2048.h"
#include "util/command.h"
#include "util/fail.h"

static const char *const forms[] = {"none", "tdl2048", NULL};
static int from, to;
static const char *output;

static const struct option_spec options[] = {
    {.name = "from", .arg = "FORM", .kind = OPTION_WORD, .to = &from, .words = forms,
     .help = "read weights of another program (tdl2048), write ours"},
    {.name = "to", .arg = "FORM", .kind = OPTION_WORD, .to = &to, .words = forms,
     .help = "read ours, write weights of another program (tdl2048)"},
    OPTION_OUTPUT(output),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "ntuple-convert",
    .purpose = "bring weights from other programs, and take them there",
    .usage = "--from tdl2048 FILE -o WEIGHTS | --to tdl2048 WEIGHTS [-o FILE]",
    .example = "ntuple-convert --from tdl2048 theirs.w -o ours.w",
    .operands = 1,
    .options = options,
};

static int import_file(const char *path) {
    struct in *in = in_open(path);
    int status = in ? tdl2048_import(in, output) : -1;
    in_close(in);
    return status;
}

static int export_file(const char *path) {
    struct weights w;
    if (weights_open(&w, path, WEIGHTS_PLAY)) return -1;
    struct out *out = out_open(output, OUT_BINARY);
    int status = out ? tdl2048_export(&w, out) : -1;
    if (status == 0)
        status = out_close(out);
    else
        out_abort(out);
    weights_close(&w);
    return status;
}

int main(int argc, char **argv) {
    int first = command_parse(&command, argc, argv);
    if (!from == !to) command_misuse("one of --from and --to is needed");
    if (first == argc) command_misuse("a file is needed");
    if (from && !output) command_misuse("-o WEIGHTS is needed");
    return (from ? import_file(argv[first]) : export_file(argv[first])) ? command_failed() : 0;
}
