// SPDX-License-Identifier: MIT
#include "util/in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/fail.h"

enum { CAPACITY = 1 << 17, LONGEST_LINE = 1 << 20 };

struct in {
    int fd;
    char *name;
    char *buffer;
    size_t at, end, capacity;
};

struct in *in_open(const char *path) {
    int standard = !path || strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_errno(path), NULL;
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        fail("%s: is a directory", standard ? "standard input" : path);
        if (!standard) close(fd);
        return NULL;
    }
    struct in *in = fail_alloc(1, sizeof *in);
    char *buffer = fail_alloc(CAPACITY + 1, 1);
    char *name = strdup(standard ? "standard input" : path);
    if (!in || !buffer || !name) {
        free(in);
        free(buffer);
        free(name);
        if (!standard) close(fd);
        return NULL;
    }
    *in = (struct in){fd, name, buffer, 0, 0, CAPACITY};
    return in;
}

void in_close(struct in *in) {
    if (!in) return;
    if (in->fd != STDIN_FILENO) close(in->fd);
    free(in->name);
    free(in->buffer);
    free(in);
}

const char *in_name(const struct in *in) { return in->name; }

static ssize_t read_some(struct in *in, void *to, size_t n) {
    ssize_t got;
    do got = read(in->fd, to, n);
    while (got < 0 && errno == EINTR);
    if (got < 0) fail_errno(in->name);
    return got;
}

// Fills the empty buffer. 1, 0 at the end, -1 on failure.
static int fill(struct in *in) {
    ssize_t got = read_some(in, in->buffer, in->capacity);
    if (got <= 0) return (int)got;
    in->at = 0;
    in->end = (size_t)got;
    return 1;
}

int in_peek(struct in *in) {
    int got = in->at < in->end ? 1 : fill(in);
    return got > 0 ? (unsigned char)in->buffer[in->at] : got - 1;
}

ssize_t in_read(struct in *in, void *to, size_t n) {
    size_t done = 0;
    while (done < n) {
        if (in->at == in->end) {
            int got = fill(in);
            if (got < 0) return -1;
            if (got == 0) break;
        }
        size_t take = in->end - in->at < n - done ? in->end - in->at : n - done;
        memcpy((char *)to + done, in->buffer + in->at, take);
        in->at += take;
        done += take;
    }
    return (ssize_t)done;
}

// Makes room behind the unread bytes: moves them to the front, or grows.
static int make_room(struct in *in) {
    memmove(in->buffer, in->buffer + in->at, in->end - in->at);
    in->end -= in->at;
    in->at = 0;
    if (in->end < in->capacity) return 0;
    if (in->capacity >= LONGEST_LINE) return fail("%s: line too long", in->name);
    char *wider = realloc(in->buffer, in->capacity * 2 + 1);
    if (!wider) return fail("%s: out of memory for a long line", in->name);
    in->buffer = wider;
    in->capacity *= 2;
    return 0;
}

int in_line(struct in *in, char **line, size_t *n) {
    size_t seen = 0;
    for (;;) {
        char *from = in->buffer + in->at;
        char *newline = memchr(from + seen, '\n', in->end - in->at - seen);
        if (newline) {
            *newline = '\0';
            *line = from;
            *n = (size_t)(newline - from);
            in->at += *n + 1;
            return 1;
        }
        seen = in->end - in->at;
        if (in->end == in->capacity && make_room(in)) return -1;
        ssize_t got = read_some(in, in->buffer + in->end, in->capacity - in->end);
        if (got < 0) return -1;
        if (got == 0) {
            // A last line without its newline still counts.
            in->buffer[in->end] = '\0';
            *line = in->buffer + in->at;
            *n = seen;
            in->at = in->end;
            return seen > 0;
        }
        in->end += (size_t)got;
    }
}
