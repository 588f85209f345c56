// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/ids_stream.h"
#include "util/command.h"
#include "util/fail.h"
#include "util/number.h"

enum { AT_A_TIME = 4096 };

static const char *rank, *info, *output;
static int decode, codec = SET_SMALLEST, text, verbose;

static const struct option_spec options[] = {
    {.letter = 'd', .name = "decode", .kind = OPTION_FLAG, .to = &decode,
     .help = "from a packed set back to its numbers"},
    {.name = "rank", .arg = "SET", .kind = OPTION_FILE, .to = &rank,
     .help = "print the place of each number in SET, or - if it is not there"},
    {.name = "info", .arg = "SET", .kind = OPTION_FILE, .to = &info,
     .help = "print what SET holds and how small it is"},
    {.name = "codec", .arg = "NAME", .kind = OPTION_WORD, .to = &codec, .words = set_codecs,
     .help = "gaps, elias-fano or smallest"},
    {.name = "text", .kind = OPTION_FLAG, .to = &text,
     .help = "numbers are decimal, one a line, instead of an ID stream"},
    OPTION_OUTPUT(output),
    OPTION_VERBOSE(verbose),
    {.kind = OPTION_END},
};

static const struct command command = {
    .name = "ef-pack",
    .purpose = "pack increasing numbers so that any of them is quickly found",
    .usage = "[--codec NAME] [-d | --rank SET | --info SET] [--text] [-o FILE] [FILE]",
    .example = "seq 3 7 100 | ef-pack --text -o set.ef && seq 10 | ef-pack --text --rank set.ef",
    .operands = 1,
    .options = options,
};

// Numbers from a stream or from text.
struct numbers {
    struct in *in;
    struct ids_reader *reader;
    uint64_t line;
};

static int64_t next_numbers(struct numbers *n, uint64_t *to, size_t most) {
    if (n->reader) return ids_read(n->reader, to, most);
    size_t i = 0;
    char *line;
    size_t length;
    int got = 1;
    while (i < most && (got = in_line(n->in, &line, &length)) > 0) {
        n->line++;
        if (strlen(line) != length || number_u64(line, 0, UINT64_MAX, &to[i++]))
            return fail("%s: line %" PRIu64 ": %s", in_name(n->in), n->line, fail_text());
    }
    return got < 0 ? -1 : (int64_t)i;
}

static int sink(void *context, const void *data, size_t n) { return out_write(context, data, n); }

static int pack(struct numbers *numbers, struct out *out) {
    struct set_writer *w = set_create((enum set_codec)codec, sink, out);
    uint64_t id[AT_A_TIME];
    int64_t n = 0;
    while (w && (n = next_numbers(numbers, id, AT_A_TIME)) > 0)
        if (set_add(w, id, (size_t)n)) break;
    if (!w || n != 0) return set_abandon(w), fail("%s: %s", in_name(numbers->in), fail_text());
    return set_finish(w, NULL);
}

static int print_ranks(struct numbers *numbers, const struct set *set, struct out *out) {
    uint64_t id[AT_A_TIME];
    int64_t n;
    while ((n = next_numbers(numbers, id, AT_A_TIME)) > 0)
        for (int64_t i = 0; i < n; i++) {
            int64_t place = set_rank(set, id[i]);
            if (place < 0 ? out_printf(out, "-\n") : out_printf(out, "%" PRId64 "\n", place))
                return -1;
        }
    return n < 0 ? -1 : 0;
}

static int print_info(const struct set *set, struct out *out) {
    uint64_t n = set_count(set), bytes = set_bytes(set);
    double universe = (double)set_last(set) - (double)set_first(set) + 1;
    char bits[NUMBER_TEXT] = "0", bound[NUMBER_TEXT] = "0";
    if (n) number_text(8 * (double)bytes / (double)n, bits);
    if (n) number_text(log2(M_E * universe / (double)n), bound);
    return out_printf(out,
                      "ids\t%" PRIu64 "\nfirst\t%" PRIu64 "\nlast\t%" PRIu64 "\nbytes\t%" PRIu64
                      "\nbits_per_id\t%s\nbound_bits_per_id\t%s\nsegments_gaps\t%" PRIu64
                      "\nsegments_elias_fano\t%" PRIu64 "\n",
                      n, set_first(set), set_last(set), bytes, bits, bound,
                      set_segments(set, SET_GAPS), set_segments(set, SET_ELIAS_FANO));
}

static int print_numbers(const struct set *set, struct out *out) {
    uint64_t id[SET_BLOCK];
    if (!text) return ids_stream_put_set(out, set);
    for (uint64_t block = 0; block * SET_BLOCK < set_count(set); block++) {
        size_t n = set_block(set, block, id);
        for (size_t i = 0; i < n; i++)
            if (out_printf(out, "%" PRIu64 "\n", id[i])) return -1;
    }
    return 0;
}

// A set from a file, or all of standard input, whose bytes are then *held.
static struct set *open_set(const char *path, void **held) {
    if (path && strcmp(path, "-") != 0) return set_open(path);
    struct in *in = in_open(NULL);
    size_t n = 0, room = 0;
    ssize_t got = -1;
    while (in) {
        if (n == room) {
            room = room ? 2 * room : 1 << 16;
            void *wider = realloc(*held, room);
            if (!wider) return in_close(in), fail("out of memory"), NULL;
            *held = wider;
        }
        got = in_read(in, (char *)*held + n, room - n);
        if (got <= 0) break;
        n += (size_t)got;
    }
    in_close(in);
    return in && got == 0 ? set_view(*held, n, "standard input") : NULL;
}

// Everything that begins with a set.
static int from_set(const char *path, const char *operand, struct out *out) {
    void *held = NULL;
    struct set *set = open_set(path, &held);
    struct numbers numbers = {0};
    int status = set ? 0 : -1;
    if (status == 0 && rank) {
        numbers.in = in_open(operand);
        if (numbers.in && !text) numbers.reader = ids_open(numbers.in);
        status = numbers.in && (text || numbers.reader) ? print_ranks(&numbers, set, out) : -1;
        ids_close(numbers.reader);
        in_close(numbers.in);
    } else if (status == 0)
        status = info ? print_info(set, out) : print_numbers(set, out);
    set_close(set);
    free(held);
    return status;
}

static int from_numbers(const char *operand, struct out *out) {
    struct numbers numbers = {.in = in_open(operand)};
    if (numbers.in && !text) numbers.reader = ids_open(numbers.in);
    int status = numbers.in && (text || numbers.reader) ? pack(&numbers, out) : -1;
    ids_close(numbers.reader);
    in_close(numbers.in);
    return status;
}

int main(int argc, char **argv) {
    const char *operand = argv[command_parse(&command, argc, argv)];
    if (decode + (rank != NULL) + (info != NULL) > 1)
        command_misuse("only one of -d, --rank and --info");
    if (info && operand) command_misuse("%s: unexpected operand", operand);
    int is_text = rank || info || (decode && text);
    struct out *out = out_open(output, is_text ? OUT_TEXT : OUT_BINARY);
    if (!out) return command_failed();
    int status = rank     ? from_set(rank, operand, out)
                 : info   ? from_set(info, operand, out)
                 : decode ? from_set(operand, operand, out)
                          : from_numbers(operand, out);
    if (status)
        out_abort(out);
    else
        status = out_close(out);
    if (status) return command_failed();
    command_summary(verbose, "done=1");
    return 0;
}
