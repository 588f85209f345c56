// SPDX-License-Identifier: MIT
// Unit programs: without arguments they list their cases, with one they run it.
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_case {
    const char *name;
    void (*run)(void);
};

// Ends the program with a message unless the condition holds.
#define CHECK(condition, ...)                                                                      \
    do                                                                                             \
        if (!(condition)) check_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                 \
    while (0)

__attribute__((format(printf, 4, 5), noreturn)) static inline void
check_fail(const char *file, int line, const char *condition, const char *format, ...) {
    fprintf(stderr, "%s:%d: not true: %s: ", file, line, condition);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

static inline int check_main(const struct check_case *cases, int argc, char **argv) {
    for (; cases->name; cases++) {
        if (argc == 1) puts(cases->name);
        if (argc == 2 && strcmp(argv[1], cases->name) == 0) return cases->run(), 0;
    }
    if (argc == 1) return 0;
    fprintf(stderr, "%s: no such case\n", argv[1]);
    return 2;
}

// The statistic of n counts against equal chances.
static inline double check_chi_square(const unsigned long *count, unsigned n) {
    double total = 0, sum = 0;
    for (unsigned i = 0; i < n; i++) total += (double)count[i];
    for (unsigned i = 0; i < n; i++) {
        double d = (double)count[i] - total / n;
        sum += d * d / (total / n);
    }
    return sum;
}

// A bound that chance exceeds less than once in a million for n - 1 degrees of
// freedom (a generous one: mean plus a multiple of the deviation).
static inline double check_chi_bound(unsigned n) {
    double freedom = n - 1, root = 1;
    for (int i = 0; i < 40; i++) root = (root + 2 * freedom / root) / 2;
    return freedom + 5 * root + 20;
}

#endif
