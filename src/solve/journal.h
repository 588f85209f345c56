// SPDX-License-Identifier: MIT
// A folder of files with a manifest that says which of them are complete.
//
// The manifest is text, one line a fact, tab-separated; each line ends with a
// checksum of itself and of all lines before it. A file counts only once its
// line is there: files are written as temporaries, and a commit syncs them,
// renames them and then appends their lines. What a killed program leaves
// behind is never read.
#ifndef SOLVE_JOURNAL_H
#define SOLVE_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "util/sha256.h"

struct journal;

// How a folder is opened. The first creates it and excludes all others; the
// second excludes the first; the third looks without excluding anyone.
enum journal_use { JOURNAL_WRITE, JOURNAL_SHARE, JOURNAL_READ };

// Opens folder/manifest and reads it. NULL on failure, or when another process
// works on the folder.
struct journal *journal_open(const char *folder, enum journal_use use);
// Drops what was not committed.
void journal_close(struct journal *j);

const char *journal_folder(const struct journal *j);

// The lines, without checksums. Fields are separated by tabs.
size_t journal_lines(const struct journal *j);
const char *journal_line(const struct journal *j, size_t i);

// A file of the folder that is being written.
struct journal_file;

struct journal_result {
    uint64_t bytes;
    char sha256[SHA256_TEXT];
};

// A name may contain one folder, which is made. NULL on failure.
struct journal_file *journal_create(struct journal *j, const char *name);
// For set_create and others: context is the struct journal_file. Writes a lot
// at a time when it can. 0, or -1 on failure; the first one sticks.
int journal_write(void *file, const void *data, size_t n);
// Completes the file's content. 0, or -1 on failure; frees file in any case.
int journal_done(struct journal_file *file, struct journal_result *result);
void journal_drop(struct journal_file *file);

// Keeps a line for the next commit.
int journal_add(struct journal *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Names a file to remove after the next commit.
int journal_remove(struct journal *j, const char *name);

// Puts all files and lines since the last commit in place. 0, or -1 on failure.
int journal_commit(struct journal *j);
// The same in the background; what fails there is told by the next commit.
int journal_commit_later(struct journal *j);

// Whether enough has come together that a commit is worth its syncs: this
// affects only how much work a crash can lose.
int journal_due(const struct journal *j);

// The path of a name in the folder; valid until the next call on this thread.
const char *journal_path(const struct journal *j, const char *name);

// Compares a file's bytes with what its line says. 0, or -1 with its name.
int journal_check(const struct journal *j, const char *name, uint64_t bytes, const char *sha256);

#endif
