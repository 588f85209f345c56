// SPDX-License-Identifier: MIT
#include "util/command.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/completion.h"
#include "util/fail.h"
#include "util/number.h"
#include "util/out.h"

enum { MOST_OPTIONS = 48, LONG_ONLY = 256 };

static const struct command *current;
static double started;

static const char *const shells[] = {"bash", "zsh", NULL};
static int shell;

// What ends the program at once. --completion is for make install and for
// packagers: pipe2048(7) has it, and not the help of every command.
enum { HELP, VERSION, COMPLETION, ENDING };
static const struct option_spec common[] = {
    {.letter = 'h', .name = "help", .kind = OPTION_FLAG, .help = "print this help and end"},
    {.letter = 'V', .name = "version", .kind = OPTION_FLAG, .help = "print the version and end"},
    {.name = "completion", .arg = "SHELL", .kind = OPTION_WORD, .to = &shell, .words = shells},
    {.kind = OPTION_END},
};

double command_seconds(void) { return clock_seconds() - started; }

void command_begin(void) { started = clock_seconds(); }

static volatile sig_atomic_t *interrupt;

void command_interrupt(volatile sig_atomic_t *number) { interrupt = number; }

void command_end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

// Leaves no temporary behind, then dies of the same signal.
static void on_signal(int number) {
    static double first;
    if (interrupt && (number == SIGINT || number == SIGTERM)) {
        if (!*interrupt) first = clock_seconds();
        // timeout(1) sends a signal to a process and to its group: that is one.
        if (clock_seconds() - first < 0.05) {
            *interrupt = number;
            return;
        }
    }
    out_remove_temporaries();
    command_end_by(number);
}

static void catch_signals(void) {
    // Past a limit on file sizes write() then fails, and we tell and tidy up.
    signal(SIGXFSZ, SIG_IGN);
    static const int signals[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        void (*before)(int) = signal(signals[i], on_signal);
        // What the caller chose to ignore stays ignored, but for SIGPIPE: a
        // reader that went away ends us quietly whoever started us.
        if (before == SIG_IGN && signals[i] != SIGPIPE) signal(signals[i], SIG_IGN);
    }
}

static void default_text(const struct option_spec *o, char *text, size_t size) {
    char number[NUMBER_TEXT];
    const char *value = o->standard;
    *text = '\0';
    switch (o->standard ? OPTION_TEXT : o->kind) {
    case OPTION_U64:
    case OPTION_SIZE:
        snprintf(text, size, " (default %" PRIu64 ")", *(uint64_t *)o->to);
        return;
    case OPTION_F64: value = number_text(*(double *)o->to, number); break;
    case OPTION_WORD: value = o->words[*(int *)o->to]; break;
    case OPTION_TEXT:
    case OPTION_FILE:
        if (!value) value = *(const char **)o->to;
        break;
    default: break;
    }
    if (value) snprintf(text, size, " (default %s)", value);
}

static void print_options(const struct option_spec *o) {
    for (; o->kind != OPTION_END; o++) {
        if (!o->help) continue;
        char letter[5] = "    ", left[64], standard[96];
        if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->arg ? " " : "",
                 o->arg ? o->arg : "");
        default_text(o, standard, sizeof standard);
        printf("  %-26s %s%s\n", left, o->help, standard);
    }
}

static void print_help(void) {
    printf("%s - %s\n\nUsage: %s %s\n\nOptions:\n", current->name, current->purpose, current->name,
           current->usage);
    print_options(current->options);
    print_options(common);
    printf("\nExample:\n  %s\n\nStatus: 0 done, 1 failed, 2 misused. Manual: man %s\n",
           current->example, current->name);
}

void command_misuse(const char *format, ...) {
    char text[900];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail("%s (see %s --help)", text, current->name);
    command_failed();
    exit(2);
}

int command_failed(void) {
    fprintf(stderr, "%s: %s\n", current->name, fail_text());
    return 1;
}

void command_summary(int verbose, const char *format, ...) {
    if (!verbose) return;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr, "%s: ", current->name);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, " seconds=%.3f peak_kib=%ld\n", command_seconds(), usage.ru_maxrss);
}

unsigned command_threads(uint64_t wanted) {
    if (wanted) return (unsigned)wanted;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (unsigned)cores : 1;
}

static int word_index(const struct option_spec *o, const char *text) {
    for (int i = 0; o->words[i]; i++)
        if (strcmp(o->words[i], text) == 0) return *(int *)o->to = i, 0;
    char all[256] = "";
    for (int i = 0; o->words[i]; i++) {
        strncat(all, i ? ", " : "", sizeof all - strlen(all) - 1);
        strncat(all, o->words[i], sizeof all - strlen(all) - 1);
    }
    return fail("must be one of %s", all);
}

static int set_option(const struct option_spec *o, const char *text) {
    uint64_t max = o->max ? o->max : UINT64_MAX;
    switch (o->kind) {
    case OPTION_FLAG: return *(int *)o->to = 1, 0;
    case OPTION_U64: return number_u64(text, o->min, max, o->to);
    case OPTION_SIZE: return number_size(text, o->min, max, o->to);
    case OPTION_F64: return number_f64(text, o->low, o->high, o->to);
    case OPTION_TEXT:
    case OPTION_FILE: return *(const char **)o->to = text, 0;
    case OPTION_WORD: return word_index(o, text);
    case OPTION_CALL: return o->parse(text, o->to);
    case OPTION_END: break;
    }
    return 0;
}

// Prints what was asked for instead of work, and ends.
static void print_and_end(int what) {
    if (what == HELP) print_help();
    if (what == VERSION) printf("%s (pipe2048) %s\n", current->name, PIPE2048_VERSION);
    if (what == COMPLETION) completion_print(stdout, (enum completion_shell)shell, current, common);
    if (fflush(stdout) == 0) exit(0);
    fail_errno("standard output");
    exit(command_failed());
}

// Fills getopt's tables; the common options come first.
static void gather(const struct option_spec *all[], struct option *longs, char *letters) {
    int n = 0;
    *letters++ = ':';
    for (int set = 0; set < 2; set++)
        for (const struct option_spec *o = set ? current->options : common; o->kind != OPTION_END;
             o++, n++) {
            all[n] = o;
            longs[n] = (struct option){o->name, o->arg ? required_argument : no_argument, NULL,
                                       LONG_ONLY + n};
            if (o->letter) *letters++ = o->letter;
            if (o->letter && o->arg) *letters++ = ':';
        }
    longs[n] = (struct option){0};
    *letters = '\0';
    all[n] = NULL;
}

// The option that getopt's answer means.
static int which(const struct option_spec *const all[], int answer) {
    if (answer >= LONG_ONLY) return answer - LONG_ONLY;
    for (int i = 0; all[i]; i++)
        if (all[i]->letter == answer) return i;
    return -1;
}

static void misuse_of(const char *word, int missing) {
    // Long options are quoted as typed; getopt tells short ones in optopt. (In
    // a bundle of letters the word is not the bundle but the one before it.)
    char letter[3] = {'-', (char)optopt, 0};
    command_misuse("%s: %s", optopt == 0 || optopt >= LONG_ONLY ? word : letter,
                   missing ? "needs an argument" : "unknown option, or one that takes no argument");
}

int command_parse(const struct command *command, int argc, char **argv) {
    const struct option_spec *all[MOST_OPTIONS + 1];
    struct option longs[MOST_OPTIONS + 1];
    char letters[2 * MOST_OPTIONS + 2];
    current = command;
    started = clock_seconds();
    catch_signals();
    gather(all, longs, letters);
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (answer == '?' || answer == ':') misuse_of(argv[optind - 1], answer == ':');
        int i = which((const struct option_spec *const *)all, answer);
        if (i < COMPLETION) print_and_end(i);
        if (set_option(all[i], optarg))
            command_misuse("--%s: '%s': %s", all[i]->name, optarg, fail_text());
        if (i < ENDING) print_and_end(i);
    }
    if (argc - optind > command->operands)
        command_misuse("%s: unexpected operand", argv[optind + command->operands]);
    return optind;
}
