// SPDX-License-Identifier: MIT
#include "util/fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char text[1024];

int fail(const char *format, ...) {
    // The new text may quote the old one, so it is built beside it.
    char next[sizeof text];
    va_list args;
    va_start(args, format);
    vsnprintf(next, sizeof next, format, args);
    va_end(args);
    // One line, whatever a file's name contains.
    for (char *c = next; *c; c++)
        if ((unsigned char)*c < ' ') *c = '?';
    memcpy(text, next, sizeof text);
    return -1;
}

int fail_errno(const char *object) {
    return fail("%s: %s", object, strerror(errno));
}

const char *fail_text(void) { return text; }

void *fail_alloc(size_t n, size_t size) {
    void *p = size && n > SIZE_MAX / size ? NULL : malloc(n * size + !n);
    if (!p) fail("memory: cannot get %zu x %zu bytes", n, size);
    return p;
}
