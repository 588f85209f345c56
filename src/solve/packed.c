// SPDX-License-Identifier: MIT
#include "solve/packed.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/bytes.h"
#include "util/crc32c.h"
#include "util/fail.h"

enum { HEADER = PACKED_HEADER, ENTRY = 32, FOOTER = 80, VERSION = 1 };

static int put(struct packed_writer *w, const void *data, size_t n) {
    w->offset += n;
    if (w->failed || (n && w->sink(w->context, data, n))) w->failed = 1;
    return w->failed ? -1 : 0;
}

int packed_create(struct packed_writer *w, const char magic[4], uint8_t parameter,
                  int (*sink)(void *, const void *, size_t), void *context) {
    *w = (struct packed_writer){.sink = sink, .context = context};
    memcpy(w->header, magic, 4);
    w->header[4] = VERSION;
    w->header[5] = parameter;
    return put(w, w->header, sizeof w->header);
}

void packed_free(struct packed_writer *w) {
    free(w->index);
    w->index = NULL;
}

int packed_segment(struct packed_writer *w, uint64_t first, size_t n, unsigned codec,
                   const uint8_t *data, size_t size) {
    if (w->segments == w->room) {
        size_t room = w->room ? 2 * w->room : 4;
        uint8_t *wider = realloc(w->index, room * ENTRY);
        if (!wider) return w->failed = 1, fail("out of memory");
        w->index = wider;
        w->room = room;
    }
    uint8_t *entry = w->index + w->segments++ * ENTRY;
    put_u64(entry, first);
    put_u64(entry + 8, w->offset);
    put_u32(entry + 16, (uint32_t)n);
    put_u32(entry + 20, codec);
    put_u32(entry + 24, (uint32_t)size);
    put_u32(entry + 28, crc32c(0, data, size));
    w->count += n;
    return put(w, data, size);
}

int packed_finish(struct packed_writer *w, const struct packed_end *end) {
    uint8_t footer[FOOTER];
    uint64_t index_at = w->offset;
    put_u64(footer, w->count);
    put_u64(footer + 8, end->first);
    put_u64(footer + 16, end->last);
    put_u64(footer + 24, index_at);
    for (int i = 0; i < PACKED_NOTES; i++) put_u64(footer + 32 + 8 * i, end->notes[i]);
    put_u64(footer + 64, w->segments);
    put_u32(footer + 72, crc32c(0, w->index, w->segments * ENTRY));
    put_u32(footer + 76, crc32c(crc32c(0, w->header, HEADER), footer, 76));
    return put(w, w->index, w->segments * ENTRY) || put(w, footer, sizeof footer) ? -1 : 0;
}

static int open_part(struct packed *p, uint64_t i, uint64_t index_at, const char *name) {
    const uint8_t *entry = p->bytes + index_at + i * ENTRY;
    struct packed_part *part = &p->part[i];
    uint64_t offset = get_u64(entry + 8), size = get_u32(entry + 24);
    *part = (struct packed_part){p->bytes + offset, size, get_u64(entry), get_u32(entry + 16),
                                 get_u32(entry + 20)};
    int last = i + 1 == p->parts;
    if (offset < HEADER || offset > index_at || size > index_at - offset || part->count == 0 ||
        part->count > PACKED_SEGMENT || (!last && part->count != PACKED_SEGMENT))
        return fail("%s: index out of range", name);
    if (crc32c(0, part->data, size) != get_u32(entry + 28))
        return fail("%s: checksum of a segment does not match", name);
    return 0;
}

int packed_view(struct packed *p, const void *bytes, size_t n, const char *name,
                const char magic[4], const char *what) {
    *p = (struct packed){.bytes = bytes, .size = n};
    const uint8_t *b = bytes, *footer = b + n - FOOTER;
    if (n < HEADER || memcmp(b, magic, 4) != 0) return fail("%s: not %s", name, what);
    if (b[4] != VERSION) return fail("%s: of unknown version %u", name, b[4]);
    p->parameter = b[5];
    if (n < HEADER + FOOTER || crc32c(crc32c(0, b, HEADER), footer, 76) != get_u32(footer + 76))
        return fail("%s: damaged or cut short", name);
    uint64_t index_at = get_u64(footer + 24), count = 0;
    p->count = get_u64(footer);
    p->end.first = get_u64(footer + 8);
    p->end.last = get_u64(footer + 16);
    p->parts = get_u64(footer + 64);
    for (int i = 0; i < PACKED_NOTES; i++) p->end.notes[i] = get_u64(footer + 32 + 8 * i);
    if (index_at < HEADER || index_at > n - FOOTER || (n - FOOTER - index_at) % ENTRY ||
        (n - FOOTER - index_at) / ENTRY != p->parts ||
        crc32c(0, b + index_at, n - FOOTER - index_at) != get_u32(footer + 72))
        return fail("%s: index is damaged", name);
    if (!(p->part = calloc(p->parts + 1, sizeof *p->part))) return fail("out of memory");
    int status = 0;
    for (uint64_t i = 0; i < p->parts && status == 0; i++) {
        status = open_part(p, i, index_at, name);
        count += p->part[i].count;
    }
    if (status == 0 && count != p->count) status = fail("%s: index counts others", name);
    if (status) packed_close(p);
    return status;
}

int packed_open(struct packed *p, const char *path, const char magic[4], const char *what) {
    struct stat st = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *p = (struct packed){0};
    if (fd < 0) return fail_errno(path);
    void *bytes = MAP_FAILED;
    if (fstat(fd, &st))
        fail_errno(path);
    else if (!S_ISREG(st.st_mode))
        fail("%s: not a regular file", path);
    else if (st.st_size == 0)
        fail("%s: is empty", path);
    else if ((bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED)
        fail_errno(path);
    close(fd);
    if (bytes == MAP_FAILED) return -1;
    if (packed_view(p, bytes, (size_t)st.st_size, path, magic, what))
        return munmap(bytes, (size_t)st.st_size), -1;
    p->mapped = 1;
    return 0;
}

void packed_close(struct packed *p) {
    free(p->part);
    p->part = NULL;
    if (p->mapped) munmap((void *)(uintptr_t)p->bytes, p->size);
    p->mapped = 0;
}
