// SPDX-License-Identifier: MIT
// The frame that sets and values share: segments, an index of them, a footer.
// Written without seeking; read mapped, with every checksum compared first.
#ifndef SOLVE_PACKED_H
#define SOLVE_PACKED_H

#include <stddef.h>
#include <stdint.h>

enum { PACKED_SEGMENT = 1 << 20, PACKED_BLOCK = 256, PACKED_NOTES = 4, PACKED_HEADER = 8 };

struct packed_writer {
    int (*sink)(void *, const void *, size_t);
    void *context;
    int failed;
    uint8_t *index;
    size_t segments, room;
    uint64_t count, offset;
    uint8_t header[PACKED_HEADER];
};

// What the footer says besides the counts.
struct packed_end {
    uint64_t first, last, notes[PACKED_NOTES];
};

// 0, or -1 on failure, which sticks. parameter is a byte for the reader.
int packed_create(struct packed_writer *w, const char magic[4], uint8_t parameter,
                  int (*sink)(void *, const void *, size_t), void *context);
// A segment of n items; all but the last have PACKED_SEGMENT.
int packed_segment(struct packed_writer *w, uint64_t first, size_t n, unsigned codec,
                   const uint8_t *data, size_t size);
int packed_finish(struct packed_writer *w, const struct packed_end *end);
void packed_free(struct packed_writer *w);

struct packed_part {
    const uint8_t *data;
    size_t size;
    uint64_t first;
    uint32_t count;
    unsigned codec;
};

struct packed {
    const uint8_t *bytes;
    size_t size;
    int mapped;
    uint8_t parameter;
    uint64_t count, parts;
    struct packed_end end;
    struct packed_part *part;
};

// Maps a file, or looks at bytes that stay the caller's. 0, or -1 on failure.
// what names the kind in messages, as in "not an .ef file".
int packed_open(struct packed *p, const char *path, const char magic[4], const char *what);
int packed_view(struct packed *p, const void *bytes, size_t n, const char *name,
                const char magic[4], const char *what);
void packed_close(struct packed *p);

// Numbers in blocks: each begins with a number of its own, the head, which can
// be read alone; the others of the block are entropy-coded, small ones best.
// Codes are chosen by the class of the number before: cuts are the last
// symbols of all classes but the last.
enum { CLASSES = 8 };

// Encodes n numbers, those at multiples of PACKED_BLOCK being heads; returns
// the bytes. Room for blocks_most(n) is needed.
size_t blocks_encode(const uint64_t *v, size_t n, const uint8_t cuts[CLASSES - 1], uint8_t *to);
static inline size_t blocks_most(size_t n) { return n * 9 + (n / PACKED_BLOCK + 1) * 24 + 4096; }

struct blocks {
    uint32_t count;
    unsigned contexts, head_width, at_width;
    const uint8_t *heads, *bits;
    uint64_t end;            // the last bit that may be looked at
    uint16_t (*table)[1024];
    uint8_t class[256];
};

// 0, or -1 with a fail that names name.
int blocks_open(struct blocks *b, const uint8_t *data, size_t size, uint32_t count,
                const uint8_t cuts[CLASSES - 1], const char *name);
void blocks_close(struct blocks *b);

uint64_t blocks_head(const struct blocks *b, uint64_t block);

// The numbers of a block, the head first; returns how many. Stops early once
// the sum of those behind the head, each plus one, reaches enough.
size_t blocks_read(const struct blocks *b, uint64_t block, uint64_t enough,
                   uint64_t v[PACKED_BLOCK]);

#endif
