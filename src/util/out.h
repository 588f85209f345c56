// SPDX-License-Identifier: MIT
// Buffered output that is either whole or not there.
//
// A named file is written as a temporary beside it, synced and renamed by
// out_close; until then an older file of that name stays as it was. Devices
// and pipes are written directly. Temporaries are removed on failure and when
// a signal ends the program.
#ifndef UTIL_OUT_H
#define UTIL_OUT_H

#include <stddef.h>

struct out;

enum out_kind { OUT_TEXT, OUT_BINARY };

// Opens a path for writing; NULL or "-" is standard output. Binary output to
// a terminal is refused. NULL on failure.
struct out *out_open(const char *path, enum out_kind kind);

// The object's name for messages.
const char *out_name(const struct out *out);

// Writes or keeps for later. 0, or -1 on failure; the first failure sticks.
int out_write(struct out *out, const void *data, size_t n);
int out_printf(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Hands everything kept so far to the system.
int out_flush(struct out *out);

// Whether whoever reads the pipe has gone.
int out_reader_gone(const struct out *out);

// Completes the output and frees it. 0, or -1: then nothing was put in place.
int out_close(struct out *out);

// Drops the output and frees it; an older file stays as it was.
void out_abort(struct out *out);

// Removes the temporaries of all open outputs; safe in a signal handler.
void out_remove_temporaries(void);

#endif
