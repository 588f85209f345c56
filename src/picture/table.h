// SPDX-License-Identifier: MIT
// Tables as our commands print them: tabs between cells, column names first.
#ifndef PICTURE_TABLE_H
#define PICTURE_TABLE_H

#include "util/in.h"

struct table;

// Takes the names of the columns from the first line or, if names is not NULL,
// from there (commas between them), and then the first line is a row. The table
// does not own in. NULL on failure.
struct table *table_open(struct in *in, const char *names);
void table_close(struct table *t);

// The name of the file, for messages.
const char *table_file(const struct table *t);

unsigned table_columns(const struct table *t);
const char *table_name(const struct table *t, unsigned column);

// The column of that name or, if none has it, of that number, counted from 1.
// Its index, or -1 after a failure that lists the names.
int table_column(const struct table *t, const char *name);

// The next row; lines without a character are passed over.
// 1: a row, 0: the end, -1: failure.
int table_next(struct table *t);

// A cell of the present row as text, valid until the next row.
const char *table_cell(const struct table *t, unsigned column);

// The same as a number. 1: a number, 0: a gap ("-" or nothing), -1: failure,
// told with file, line and column.
int table_number(const struct table *t, unsigned column, double *to);

// Keeps a failure of the present row: "file: line N: reason". Returns -1.
int table_fail(const struct table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
