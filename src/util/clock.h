// SPDX-License-Identifier: MIT
// Time that only goes forward.
#ifndef UTIL_CLOCK_H
#define UTIL_CLOCK_H

#include <time.h>

// Seconds since some moment.
static inline double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
