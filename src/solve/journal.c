// SPDX-License-Identifier: MIT
#include "solve/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/crc32c.h"
#include "util/fail.h"

enum { MOST_LINE = 4096, SUM = 9, BUFFER = 1 << 16, DUE_BYTES = 256 << 20 };

struct text_list {
    char **text;
    size_t n, room;
};

// What one commit puts in place.
struct batch {
    struct text_list files, waiting, obsolete;
    struct text_list folders; // made or entered
};

struct journal {
    char *folder;
    int fd;                 // of the manifest, and of its lock
    struct text_list lines; // committed
    uint32_t crc;           // of all lines, those that wait included
    struct batch next;
    uint64_t bytes;         // of the files that wait
    double committed;
    // A commit on its way: syncs wait for the disk, the solver need not.
    struct batch going;
    pthread_t thread;
    int started;            // the thread must be joined
    atomic_int ended;
    int failed;             // of the thread, with its reason
    char reason[1024];
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int list_add(struct text_list *l, const char *text) {
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 16;
        char **wider = realloc(l->text, room * sizeof *wider);
        if (!wider) return fail("out of memory");
        l->text = wider;
        l->room = room;
    }
    if (!(l->text[l->n] = strdup(text))) return fail("out of memory");
    l->n++;
    return 0;
}

static void list_clear(struct text_list *l) {
    while (l->n) free(l->text[--l->n]);
}

static void list_free(struct text_list *l) {
    list_clear(l);
    free(l->text);
}

const char *journal_path(const struct journal *j, const char *name) {
    static _Thread_local char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", j->folder, name);
    return path;
}

// "name.PID.tmp" beside the file; a second buffer, for use with journal_path.
static const char *temporary(const struct journal *j, const char *name) {
    static _Thread_local char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.%ld.tmp", j->folder, name, (long)getpid());
    return path;
}

// Removes what killed programs left in a folder and in those below it.
static void sweep(const char *folder, int depth) {
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        char path[PATH_MAX];
        size_t n = strlen(e->d_name);
        struct stat st;
        if (e->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= PATH_MAX)
            continue;
        if (n > 4 && strcmp(e->d_name + n - 4, ".tmp") == 0)
            unlink(path);
        else if (depth && lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            // A folder with a manifest of its own is another journal's.
            char own[PATH_MAX + 16];
            snprintf(own, sizeof own, "%s/manifest", path);
            if (access(own, F_OK) != 0) sweep(path, depth - 1);
        }
    }
    closedir(d);
}

// Checks a line (without its newline) and cuts off its checksum.
static int check_line(struct journal *j, char *line, size_t number) {
    size_t n = strlen(line);
    char sum[SUM];
    uint32_t crc = n > SUM ? crc32c(j->crc, line, n - SUM + 1) : 0;
    snprintf(sum, sizeof sum, "%08x", crc);
    if (n <= SUM || line[n - SUM] != '\t' || strcmp(line + n - SUM + 1, sum) != 0)
        return fail("%s/manifest: line %zu: checksum does not match", j->folder, number);
    line[n - SUM] = '\0';
    j->crc = crc;
    return list_add(&j->lines, line);
}

// Reads all lines. One without its newline at the end was being appended when
// a program died: a writer cuts it off, a reader looks past it.
static int read_lines(struct journal *j, int cut) {
    struct stat st;
    if (fstat(j->fd, &st)) return fail_errno(journal_path(j, "manifest"));
    size_t size = (size_t)st.st_size, done = 0;
    char *text = fail_alloc(size + 1, 1);
    if (!text) return -1;
    while (done < size) {
        ssize_t got = pread(j->fd, text + done, size - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return free(text), fail_errno(journal_path(j, "manifest"));
        if (got == 0) break;
        done += (size_t)got;
    }
    text[done] = '\0';
    int status = 0;
    char *at = text, *end;
    for (size_t number = 1; status == 0 && (end = memchr(at, '\n', done - (size_t)(at - text)));
         number++, at = end + 1) {
        *end = '\0';
        status = check_line(j, at, number);
    }
    if (status == 0 && cut && (size_t)(at - text) < done && ftruncate(j->fd, at - text))
        status = fail_errno(journal_path(j, "manifest"));
    free(text);
    return status;
}

static int lock(struct journal *j, enum journal_use use) {
    if (use == JOURNAL_READ) return 0;
    if (flock(j->fd, (use == JOURNAL_WRITE ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return 0;
    if (errno == EWOULDBLOCK) return fail("%s: another process is at work on it", j->folder);
    return fail_errno(j->folder);
}

struct journal *journal_open(const char *folder, enum journal_use use) {
    struct journal *j = calloc(1, sizeof *j);
    if (!j || !(j->folder = strdup(folder))) return free(j), fail("out of memory"), NULL;
    // The caller's text may be journal_path's, which the calls below change.
    folder = j->folder;
    int write = use == JOURNAL_WRITE;
    j->committed = now();
    if (write && mkdir(folder, 0777) && errno != EEXIST) {
        fail_errno(folder);
        j->fd = -1;
    } else {
        j->fd = open(journal_path(j, "manifest"),
                     (write ? O_RDWR | O_CREAT | O_APPEND : O_RDONLY) | O_CLOEXEC, 0666);
        if (j->fd < 0 && errno == ENOENT && !write)
            fail("%s: no solution (there is no manifest)", folder);
        else if (j->fd < 0)
            fail_errno(journal_path(j, "manifest"));
    }
    if (j->fd < 0 || lock(j, use) || read_lines(j, write)) return journal_close(j), NULL;
    if (write) sweep(folder, 1);
    return j;
}

static void batch_free(struct journal *j, struct batch *b) {
    for (size_t i = 0; i < b->files.n; i++) unlink(temporary(j, b->files.text[i]));
    list_free(&b->files);
    list_free(&b->waiting);
    list_free(&b->obsolete);
    list_free(&b->folders);
    *b = (struct batch){0};
}

static int finish_going(struct journal *j);

void journal_close(struct journal *j) {
    if (!j) return;
    finish_going(j);
    batch_free(j, &j->next);
    if (j->fd >= 0) close(j->fd);
    list_free(&j->lines);
    free(j->folder);
    free(j);
}

const char *journal_folder(const struct journal *j) { return j->folder; }
size_t journal_lines(const struct journal *j) { return j->lines.n; }
const char *journal_line(const struct journal *j, size_t i) { return j->lines.text[i]; }

struct journal_file {
    struct journal *journal;
    char *name;
    int fd, failed;
    uint64_t bytes;
    struct sha256 sha;
    size_t used;
    uint8_t buffer[BUFFER];
};

struct journal_file *journal_create(struct journal *j, const char *name) {
    const char *slash = strchr(name, '/');
    if (slash) {
        char folder[NAME_MAX + 1];
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
        int known = 0;
        struct text_list *folders = &j->next.folders;
        for (size_t i = 0; i < folders->n; i++) known |= strcmp(folders->text[i], folder) == 0;
        if (!known && list_add(folders, folder)) return NULL;
        if (mkdir(journal_path(j, folder), 0777) && errno != EEXIST)
            return fail_errno(journal_path(j, folder)), NULL;
    }
    struct journal_file *f = fail_alloc(1, sizeof *f);
    if (!f) return NULL;
    f->journal = j;
    f->failed = 0;
    f->bytes = f->used = 0;
    sha256_init(&f->sha);
    f->name = strdup(name);
    f->fd = open(temporary(j, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (f->fd < 0 || !f->name) {
        fail_errno(journal_path(j, name));
        journal_drop(f);
        return NULL;
    }
    return f;
}

static int write_all(struct journal_file *f, const uint8_t *data, size_t n) {
    sha256_add(&f->sha, data, n);
    f->bytes += n;
    while (n && !f->failed) {
        ssize_t put = write(f->fd, data, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) {
            f->failed = 1;
            return fail_errno(journal_path(f->journal, f->name));
        }
        data += put;
        n -= (size_t)put;
    }
    return f->failed ? -1 : 0;
}

int journal_write(void *file, const void *data, size_t n) {
    struct journal_file *f = file;
    if (n > BUFFER - f->used) {
        size_t used = f->used;
        f->used = 0;
        if (write_all(f, f->buffer, used)) return -1;
    }
    if (n > BUFFER) return write_all(f, data, n);
    memcpy(f->buffer + f->used, data, n);
    f->used += n;
    return f->failed ? -1 : 0;
}

void journal_drop(struct journal_file *f) {
    if (!f) return;
    if (f->fd >= 0) {
        close(f->fd);
        unlink(temporary(f->journal, f->name));
    }
    free(f->name);
    free(f);
}

int journal_done(struct journal_file *f, struct journal_result *result) {
    if (write_all(f, f->buffer, f->used) || list_add(&f->journal->next.files, f->name))
        return journal_drop(f), -1;
    int fd = f->fd;
    f->fd = -1;
    if (close(fd)) {
        fail_errno(journal_path(f->journal, f->name));
        return journal_drop(f), -1;
    }
    result->bytes = f->bytes;
    sha256_text(&f->sha, result->sha256);
    f->journal->bytes += f->bytes;
    journal_drop(f);
    return 0;
}

int journal_add(struct journal *j, const char *format, ...) {
    char line[MOST_LINE];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line - SUM - 1, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line - SUM - 1) return fail("%s: line too long", j->folder);
    line[n] = '\t';
    line[n + 1] = '\0';
    j->crc = crc32c(j->crc, line, (size_t)n + 1);
    snprintf(line + n + 1, SUM, "%08x", j->crc);
    return list_add(&j->next.waiting, line);
}

int journal_remove(struct journal *j, const char *name) { return list_add(&j->next.obsolete, name); }

static int sync_path(const char *path, int flags) {
    int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0) return fail_errno(path);
    int bad = fsync(fd) && errno != EINVAL;
    if (bad) fail_errno(path);
    close(fd);
    return bad ? -1 : 0;
}

// Starts all the writing first: the syncs then find most of it done.
static int sync_files(const struct journal *j, const struct text_list *files) {
    for (size_t i = 0; i < files->n && files->n > 1; i++) {
        int fd = open(temporary(j, files->text[i]), O_RDONLY | O_CLOEXEC);
        if (fd < 0) continue;
#ifdef SYNC_FILE_RANGE_WRITE
        sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
        close(fd);
    }
    for (size_t i = 0; i < files->n; i++)
        if (sync_path(temporary(j, files->text[i]), O_RDONLY)) return -1;
    return 0;
}

static int append_lines(const struct journal *j, const struct text_list *lines) {
    size_t n = 0;
    for (size_t i = 0; i < lines->n; i++) n += strlen(lines->text[i]) + 1;
    char *text = fail_alloc(n + 1, 1), *at = text;
    if (!text) return -1;
    for (size_t i = 0; i < lines->n; i++) {
        at = stpcpy(at, lines->text[i]);
        *at++ = '\n';
    }
    off_t before = lseek(j->fd, 0, SEEK_END);
    ssize_t put = write(j->fd, text, n);
    int bad = put < 0 || (size_t)put != n || fsync(j->fd);
    if (bad) {
        if (put >= 0) errno = ENOSPC;
        fail_errno(journal_path(j, "manifest"));
        if (before < 0 || ftruncate(j->fd, before)) bad = 1; // the next writer cuts it off
    }
    free(text);
    return bad ? -1 : 0;
}

// Syncs and renames the batch's files, then appends its lines.
static int put_in_place(const struct journal *j, struct batch *b) {
    if (sync_files(j, &b->files)) return -1;
    for (size_t i = 0; i < b->files.n; i++)
        if (rename(temporary(j, b->files.text[i]), journal_path(j, b->files.text[i])))
            return fail_errno(journal_path(j, b->files.text[i]));
    for (size_t i = 0; i < b->folders.n; i++)
        if (sync_path(journal_path(j, b->folders.text[i]), O_RDONLY)) return -1;
    if (sync_path(j->folder, O_RDONLY)) return -1;
    list_clear(&b->files);
    if (b->waiting.n && append_lines(j, &b->waiting)) return -1;
    for (size_t i = 0; i < b->obsolete.n; i++) unlink(journal_path(j, b->obsolete.text[i]));
    return 0;
}

static void *commit_thread(void *argument) {
    struct journal *j = argument;
    j->failed = put_in_place(j, &j->going) != 0;
    if (j->failed) strncpy(j->reason, fail_text(), sizeof j->reason - 1);
    atomic_store(&j->ended, 1);
    return NULL;
}

// Waits for the commit on its way and takes over its lines.
static int finish_going(struct journal *j) {
    if (j->started) pthread_join(j->thread, NULL);
    j->started = 0;
    int status = j->failed ? fail("%s", j->reason) : 0;
    for (size_t i = 0; i < j->going.waiting.n && status == 0; i++) {
        char *line = j->going.waiting.text[i];
        line[strlen(line) - SUM] = '\0';
        status = list_add(&j->lines, line);
    }
    batch_free(j, &j->going);
    return status;
}

int journal_commit_later(struct journal *j) {
    if (finish_going(j)) return -1;
    j->going = j->next;
    j->next = (struct batch){0};
    j->bytes = 0;
    j->committed = now();
    atomic_store(&j->ended, 0);
    j->started = pthread_create(&j->thread, NULL, commit_thread, j) == 0;
    if (!j->started) commit_thread(j);
    return 0;
}

int journal_commit(struct journal *j) {
    return journal_commit_later(j) || finish_going(j) ? -1 : 0;
}

int journal_due(const struct journal *j) {
    if (j->bytes > DUE_BYTES) return 1;
    return (!j->started || atomic_load(&j->ended)) && now() - j->committed > 1;
}

int journal_check(const struct journal *j, const char *name, uint64_t bytes, const char *sha256) {
    const char *path = journal_path(j, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_errno(path);
    struct sha256 s;
    char text[SHA256_TEXT];
    uint8_t *buffer = fail_alloc(1 << 20, 1);
    uint64_t n = 0;
    ssize_t got = -1;
    sha256_init(&s);
    while (buffer && (got = read(fd, buffer, 1 << 20)) > 0) {
        sha256_add(&s, buffer, (size_t)got);
        n += (size_t)got;
    }
    if (buffer && got < 0) fail_errno(path);
    close(fd);
    free(buffer);
    if (got < 0) return -1;
    if (n != bytes)
        return fail("%s: has %lu bytes, the manifest says %lu", path, (unsigned long)n,
                    (unsigned long)bytes);
    sha256_text(&s, text);
    return strcmp(text, sha256) == 0 ? 0 : fail("%s: SHA-256 is not the manifest's", path);
}
