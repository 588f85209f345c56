// SPDX-License-Identifier: MIT
// Buffered input from a file, a pipe or standard input.
#ifndef UTIL_IN_H
#define UTIL_IN_H

#include <stddef.h>
#include <sys/types.h>

struct in;

// Opens a path for reading; NULL or "-" is standard input. NULL on failure.
struct in *in_open(const char *path);
void in_close(struct in *in);

// The object's name for messages: the path, or "standard input".
const char *in_name(const struct in *in);

// Reads n bytes; fewer only at the end of input. -1 on failure.
ssize_t in_read(struct in *in, void *to, size_t n);

// The next byte without taking it; -1 at the end, -2 on failure.
int in_peek(struct in *in);

// The next line without its newline, valid until the next call.
// 1: a line (its length in *n, with a terminating zero), 0: the end, -1: failure.
int in_line(struct in *in, char **line, size_t *n);

#endif
