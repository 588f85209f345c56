// SPDX-License-Identifier: MIT
#include "util/out.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/fail.h"

enum { CAPACITY = 1 << 16, TEMPORARIES = 16 };

struct out {
    int fd;
    int failed;
    char *name;      // for messages
    char *path;      // what the temporary becomes; NULL when writing directly
    char *temporary; // NULL when writing directly
    size_t used;
    char buffer[CAPACITY];
};

// What a signal handler must remove. A slot is free when NULL.
static char *volatile temporaries[TEMPORARIES];

static void forget_temporary(const char *path) {
    for (int i = 0; i < TEMPORARIES; i++)
        if (temporaries[i] == path) temporaries[i] = NULL;
}

static void remember_temporary(char *path) {
    for (int i = 0; i < TEMPORARIES; i++)
        if (!temporaries[i]) {
            temporaries[i] = path;
            return;
        }
}

void out_remove_temporaries(void) {
    for (int i = 0; i < TEMPORARIES; i++)
        if (temporaries[i]) unlink(temporaries[i]);
}

static void out_free(struct out *out) {
    if (out->fd > STDERR_FILENO) close(out->fd);
    free(out->name);
    free(out->path);
    free(out->temporary);
    free(out);
}

// Opens a temporary beside the target; links are followed first, so that a
// rename replaces what the link points to and not the link.
static int open_temporary(struct out *out, const char *path, mode_t mode) {
    char real[PATH_MAX];
    out->path = strdup(realpath(path, real) ? real : path);
    size_t size = out->path ? strlen(out->path) + 32 : 0;
    out->temporary = fail_alloc(size, 1);
    if (!out->path || !out->temporary) return -1;
    snprintf(out->temporary, size, "%s.%ld.tmp", out->path, (long)getpid());
    out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (out->fd < 0) return fail_errno(path);
    remember_temporary(out->temporary);
    return 0;
}

struct out *out_open(const char *path, enum out_kind kind) {
    int standard = !path || strcmp(path, "-") == 0;
    struct out *out = fail_alloc(1, sizeof *out);
    if (!out) return NULL;
    *out = (struct out){.fd = -1};
    out->name = strdup(standard ? "standard output" : path);
    struct stat st;
    int there = !standard && stat(path, &st) == 0;
    int ok = out->name ? 0 : -1;
    if (standard)
        out->fd = STDOUT_FILENO;
    else if (there && S_ISDIR(st.st_mode))
        ok = fail("%s: is a directory", path);
    else if (there && !S_ISREG(st.st_mode)) {
        out->fd = open(path, O_WRONLY | O_CLOEXEC);
        if (out->fd < 0) ok = fail_errno(path);
    } else
        ok = open_temporary(out, path, there ? st.st_mode & 0777 : 0666);
    if (ok == 0 && kind == OUT_BINARY && isatty(out->fd))
        ok = fail("%s: is a terminal, and this output is binary (use -o or a pipe)", out->name);
    if (ok == 0) return out;
    out_abort(out);
    return NULL;
}

const char *out_name(const struct out *out) { return out->name; }

static int write_all(struct out *out, const char *data, size_t n) {
    while (n) {
        ssize_t put = write(out->fd, data, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) {
            out->failed = 1;
            return fail_errno(out->name);
        }
        data += put;
        n -= (size_t)put;
    }
    return 0;
}

int out_flush(struct out *out) {
    if (out->failed) return -1;
    size_t n = out->used;
    out->used = 0;
    return write_all(out, out->buffer, n);
}

int out_reader_gone(const struct out *out) {
    struct pollfd p = {.fd = out->fd};
    return poll(&p, 1, 0) > 0 && p.revents & POLLERR;
}

int out_write(struct out *out, const void *data, size_t n) {
    if (out->failed) return -1;
    if (n > CAPACITY - out->used && out_flush(out)) return -1;
    if (n > CAPACITY) return write_all(out, data, n);
    memcpy(out->buffer + out->used, data, n);
    out->used += n;
    return 0;
}

int out_printf(struct out *out, const char *format, ...) {
    char line[4096];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line) return fail("%s: text too long", out->name);
    return out_write(out, line, (size_t)n);
}

// The rename itself must survive a power cut, so its folder is synced too.
static int sync_folder(const char *path) {
    char copy[PATH_MAX];
    if (strlen(path) >= sizeof copy) return 0;
    strcpy(copy, path);
    int fd = open(dirname(copy), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    int bad = fsync(fd) && errno != EINVAL;
    close(fd);
    return bad ? fail_errno(path) : 0;
}

int out_close(struct out *out) {
    int status = out_flush(out);
    if (out->temporary) {
        if (status == 0 && fsync(out->fd)) status = fail_errno(out->name);
        int fd = out->fd;
        out->fd = -1;
        if (close(fd) && status == 0) status = fail_errno(out->name);
        if (status == 0 && rename(out->temporary, out->path)) status = fail_errno(out->name);
        if (status) unlink(out->temporary);
        forget_temporary(out->temporary);
        if (status == 0) status = sync_folder(out->path);
    } else if (out->fd == STDOUT_FILENO) {
        // Some file systems report a full disk only here.
        if (close(STDOUT_FILENO) && status == 0) status = fail_errno(out->name);
        out->fd = -1;
    }
    out_free(out);
    return status;
}

void out_abort(struct out *out) {
    if (!out) return;
    if (out->temporary && out->fd >= 0) {
        unlink(out->temporary);
        forget_temporary(out->temporary);
    }
    out_free(out);
}
