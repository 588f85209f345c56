// SPDX-License-Identifier: MIT
#include "util/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "util/clock.h"

struct progress progress_start(const char *unit, uint64_t total, int quiet) {
    double t = clock_seconds();
    return (struct progress){unit, total, t, t, !quiet && isatty(STDERR_FILENO)};
}

// 12345678 as "12.3M".
static void scaled(double v, char *text, size_t size) {
    static const char units[] = " KMGT";
    int i = 0;
    for (; v >= 9999.5 && i < 4; i++) v /= 1000;
    snprintf(text, size, i ? "%.3g%c" : "%.0f", v, units[i]);
}

void progress_show(struct progress *p, uint64_t done, const char *note) {
    if (!p->on) return;
    double t = clock_seconds();
    if (t - p->shown < 0.2) return;
    p->shown = t;
    double rate = (double)done / (t - p->started);
    char count[16], speed[16], left[64] = "";
    scaled((double)done, count, sizeof count);
    scaled(rate, speed, sizeof speed);
    if (p->total && done && done <= p->total) {
        long seconds = (long)((double)(p->total - done) / rate);
        snprintf(left, sizeof left, " %3.0f%% %ld:%02ld left",
                 100.0 * (double)done / (double)p->total, seconds / 60, seconds % 60);
    }
    fprintf(stderr, "\r%s %s, %s/s%s%s%s\033[K", count, p->unit, speed, left, note ? " " : "",
            note ? note : "");
    fflush(stderr);
}

void progress_end(struct progress *p) {
    if (p->on) fputs("\r\033[K", stderr);
    p->on = 0;
}
