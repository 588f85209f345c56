// SPDX-License-Identifier: MIT
// The reason why something failed, kept for the thread that failed.
//
// Library functions return -1 (or NULL) after calling one of these; a command
// prints the text once, at its end. The text is "object: reason".
#ifndef UTIL_FAIL_H
#define UTIL_FAIL_H

#include <stddef.h>

// Keeps the formatted text. Returns -1, so that `return fail(...)` reads well.
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Keeps "object: strerror(errno)". Returns -1.
int fail_errno(const char *object);

// The last text of this thread; "" if there was none. Valid until the next fail.
const char *fail_text(void);

// malloc of n elements of the given size; NULL after a fail that names the amount.
void *fail_alloc(size_t n, size_t size);

#endif
