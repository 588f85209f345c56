// SPDX-License-Identifier: MIT
// A line on the terminal that tells how far long work has come.
#ifndef UTIL_PROGRESS_H
#define UTIL_PROGRESS_H

#include <stdint.h>

struct progress {
    const char *unit;
    uint64_t total; // 0: not known
    double started, shown;
    int on;
};

// Starts a line if standard error is a terminal and quiet is 0.
struct progress progress_start(const char *unit, uint64_t total, int quiet);

// Shows how much is done, at most five times a second. note may be NULL.
void progress_show(struct progress *p, uint64_t done, const char *note);

// Clears the line.
void progress_end(struct progress *p);

#endif
