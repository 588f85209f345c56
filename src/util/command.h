// SPDX-License-Identifier: MIT
// What every command shares: its option table, its help, its messages, its end.
//
// The table is the only description of a command's options: parsing, --help
// with the real defaults, and shell completion come from it. Only this module
// and src/cmd print to the user or end the program.
#ifndef UTIL_COMMAND_H
#define UTIL_COMMAND_H

#include <signal.h>
#include <stdint.h>

#define PIPE2048_VERSION "0.1.0"

enum option_kind {
    OPTION_END,
    OPTION_FLAG, // int: set to 1
    OPTION_U64,  // uint64_t in [min, max]
    OPTION_SIZE, // uint64_t in [min, max], K M G T allowed
    OPTION_F64,  // double in [low, high]
    OPTION_TEXT, // const char *
    OPTION_FILE, // const char *, a file's name (for completion)
    OPTION_WORD, // int: the index in words
    OPTION_CALL, // parse(text, to) decides; it returns 0 or fails
};

struct option_spec {
    char letter;          // 0: long name only
    const char *name;     // the long name
    const char *arg;      // what the argument is called; NULL for a flag
    const char *help;     // one phrase, lower case; NULL: neither shown nor completed
    enum option_kind kind;
    void *to;             // its initial content is the default
    uint64_t min, max;    // max 0 is no upper bound
    double low, high;
    const char *const *words; // NULL-terminated, for OPTION_WORD
    int (*parse)(const char *text, void *to);
    const char *standard; // what help calls the default, where *to cannot tell
};

struct command {
    const char *name;
    const char *purpose;  // one sentence
    const char *usage;    // what follows the name
    const char *example;  // one shell line
    int operands;         // how many operands are allowed at most
    const struct option_spec *options; // ended by OPTION_END
};

// Options that many commands have, spelled the same everywhere.
#define OPTION_THREADS(variable)                                                                   \
    {.letter = 't', .name = "threads", .arg = "N", .kind = OPTION_U64, .to = &(variable),          \
     .max = 256, .help = "worker threads; 0 is one a core"}
#define OPTION_SEED(variable)                                                                      \
    {.letter = 's', .name = "seed", .arg = "N", .kind = OPTION_U64, .to = &(variable),             \
     .help = "random seed"}
#define OPTION_OUTPUT(variable)                                                                    \
    {.letter = 'o', .name = "output", .arg = "FILE", .kind = OPTION_FILE, .to = &(variable),       \
     .help = "write to FILE once it is complete", .standard = "standard output"}
#define OPTION_QUIET(variable)                                                                     \
    {.letter = 'q', .name = "quiet", .kind = OPTION_FLAG, .to = &(variable),                       \
     .help = "no progress on the terminal"}
#define OPTION_VERBOSE(variable)                                                                   \
    {.letter = 'v', .name = "verbose", .kind = OPTION_FLAG, .to = &(variable),                     \
     .help = "one summary line on standard error at the end"}

// Parses the options and returns the index of the first operand in argv.
// --help, --version and --completion print and end with 0; misuse prints and ends with 2.
int command_parse(const struct command *command, int argc, char **argv);

// Ends with a usage message: `name: text` and a pointer to --help, status 2.
void command_misuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

// Prints `name: ` and the last failure's text; returns 1, the exit status.
int command_failed(void);

// With verbose: `name: text` with seconds and peak memory, on standard error.
void command_summary(int verbose, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Seconds since the command started, or since command_begin.
double command_seconds(void);

// Starts the clock anew, after files are opened and checked.
void command_begin(void);

// From now on the first SIGINT or SIGTERM only sets *number to its number, which
// is 0 before; the program is to come to an end then. The next one ends it at
// once, as signals do without this.
void command_interrupt(volatile sig_atomic_t *number);

// Ends the program by a signal, so that its caller knows what ended it.
void command_end_by(int number);

// Threads to use for an option value: itself, or one a core for 0.
unsigned command_threads(uint64_t wanted);

#endif
