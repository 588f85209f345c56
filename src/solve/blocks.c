// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "solve/bits.h"
#include "solve/huffman.h"
#include "solve/packed.h"
#include "util/fail.h"

enum { EXACT = 16 }; // smaller numbers are symbols of their own

// A number as symbol and raw bits: larger ones have four symbols an octave.
static inline unsigned symbol_of(uint64_t v, unsigned *raw) {
    if (v < EXACT) return *raw = 0, (unsigned)v;
    unsigned e = 63 - (unsigned)__builtin_clzll(v);
    *raw = e - 2;
    return EXACT + (e - 4) * 4 + (unsigned)(v >> (e - 2) & 3);
}

static void fill_classes(const uint8_t cuts[CLASSES - 1], uint8_t class[HUFFMAN_SYMBOLS]) {
    for (unsigned i = 0, k = 0; i < HUFFMAN_SYMBOLS; i++) {
        while (k < CLASSES - 1 && i > cuts[k]) k++;
        class[i] = (uint8_t)k;
    }
}

// Code lengths for these counts; returns the bytes of tables and codes.
static uint64_t make_codes(unsigned contexts, uint32_t count[CLASSES][HUFFMAN_SYMBOLS],
                           uint8_t length[CLASSES][HUFFMAN_SYMBOLS]) {
    uint64_t bits = 0, bytes = 0;
    uint8_t packed[HUFFMAN_SYMBOLS];
    for (unsigned k = 0; k < contexts; k++) {
        huffman_lengths(count[k], length[k]);
        bytes += huffman_put(length[k], packed);
        for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) bits += (uint64_t)count[k][i] * length[k][i];
    }
    return bytes + bits / 8;
}

// A code a class, or one for all where eight tables do not pay.
static unsigned choose_codes(const uint64_t *v, size_t n, const uint8_t class[HUFFMAN_SYMBOLS],
                             uint8_t length[CLASSES][HUFFMAN_SYMBOLS]) {
    uint32_t count[CLASSES][HUFFMAN_SYMBOLS] = {{0}}, sum[CLASSES][HUFFMAN_SYMBOLS] = {{0}};
    uint8_t single[CLASSES][HUFFMAN_SYMBOLS];
    for (size_t i = 0, context = 0; i < n; i++) {
        unsigned raw, symbol = symbol_of(v[i], &raw);
        if (i % PACKED_BLOCK) count[context][symbol]++;
        context = i % PACKED_BLOCK ? class[symbol] : 0;
    }
    for (unsigned k = 0; k < CLASSES; k++)
        for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) sum[0][i] += count[k][i];
    if (make_codes(CLASSES, count, length) < make_codes(1, sum, single)) return CLASSES;
    memcpy(length[0], single[0], sizeof single[0]);
    return 1;
}

static void put_numbers(struct bits *b, const uint64_t *v, size_t n, unsigned contexts,
                        const uint8_t class[HUFFMAN_SYMBOLS],
                        uint8_t length[CLASSES][HUFFMAN_SYMBOLS], uint32_t *offset) {
    uint16_t code[CLASSES][HUFFMAN_SYMBOLS];
    const uint8_t *start = b->to;
    unsigned context = 0, raw;
    for (unsigned k = 0; k < contexts; k++) huffman_codes(length[k], code[k]);
    for (size_t i = 0; i < n; i++) {
        if (i % PACKED_BLOCK == 0) {
            offset[i / PACKED_BLOCK] = (uint32_t)(b->to - start) * 8 + b->n;
            context = 0;
            continue;
        }
        unsigned symbol = symbol_of(v[i], &raw);
        bits_put(b, code[context][symbol], length[context][symbol]);
        if (raw) bits_put_wide(b, v[i] & bits_mask(raw), raw);
        if (contexts > 1) context = class[symbol];
    }
}

// 8 bytes (contexts, widths of a head's two fields, 0, where the numbers
// begin), tables, heads with the bit where each block begins, numbers.
size_t blocks_encode(const uint64_t *v, size_t n, const uint8_t cuts[CLASSES - 1], uint8_t *to) {
    uint8_t length[CLASSES][HUFFMAN_SYMBOLS], class[HUFFMAN_SYMBOLS];
    uint32_t offset[PACKED_SEGMENT / PACKED_BLOCK];
    fill_classes(cuts, class);
    unsigned contexts = choose_codes(v, n, class, length);
    size_t blocks = (n + PACKED_BLOCK - 1) / PACKED_BLOCK, at = 8;
    for (unsigned k = 0; k < contexts; k++) at += huffman_put(length[k], to + at);
    // Heads need the offsets, so the numbers are first written where the widest
    // heads would leave room, then moved.
    uint8_t *numbers = to + at + 16 * blocks + 2 * BITS_PADDING;
    struct bits b = {numbers, 0, 0};
    put_numbers(&b, v, n, contexts, class, length, offset);
    size_t size = (size_t)(bits_end(&b) - numbers);
    uint64_t any = 0;
    for (size_t k = 0; k < blocks; k++) any |= v[k * PACKED_BLOCK];
    unsigned head_width = bits_width(any), at_width = bits_width(offset[blocks - 1]);
    struct bits heads = {to + at, 0, 0};
    for (size_t k = 0; k < blocks; k++) {
        bits_put_wide(&heads, v[k * PACKED_BLOCK], head_width);
        bits_put(&heads, offset[k], at_width);
    }
    uint8_t *end = bits_end(&heads);
    memmove(end, numbers, size);
    to[0] = (uint8_t)contexts;
    to[1] = (uint8_t)head_width;
    to[2] = (uint8_t)at_width;
    to[3] = 0;
    put_u32(to + 4, (uint32_t)(end - to));
    return (size_t)(end - to) + size;
}

int blocks_open(struct blocks *b, const uint8_t *p, size_t size, uint32_t count,
                const uint8_t cuts[CLASSES - 1], const char *name) {
    *b = (struct blocks){.count = count};
    if (size < 8 + 2 * BITS_PADDING) return fail("%s: segment too short", name);
    uint64_t blocks = ((uint64_t)count + PACKED_BLOCK - 1) / PACKED_BLOCK;
    uint32_t numbers_at = get_u32(p + 4);
    b->contexts = p[0];
    b->head_width = p[1];
    b->at_width = p[2];
    if ((b->contexts != 1 && b->contexts != CLASSES) || b->head_width > 64 || b->at_width > 32 ||
        p[3] || numbers_at < 8 || numbers_at > size - BITS_PADDING)
        return fail("%s: segment header out of range", name);
    if (!(b->table = fail_alloc(b->contexts, sizeof *b->table))) return -1;
    size_t at = 8;
    for (unsigned k = 0; k < b->contexts; k++) {
        uint8_t length[HUFFMAN_SYMBOLS];
        size_t used = huffman_get(p + at, numbers_at - at, length);
        if (!used || huffman_table(length, b->table[k])) return fail("%s: bad code table", name);
        at += used;
    }
    if (numbers_at - at != (blocks * (b->head_width + b->at_width) + 7) / 8 + BITS_PADDING)
        return fail("%s: segment header out of range", name);
    b->heads = p + at;
    b->bits = p + numbers_at;
    b->end = 8 * (size - numbers_at - BITS_PADDING);
    fill_classes(cuts, b->class);
    return 0;
}

void blocks_close(struct blocks *b) {
    free(b->table);
    b->table = NULL;
}

uint64_t blocks_head(const struct blocks *b, uint64_t block) {
    return bits_get_wide(b->heads, block * (b->head_width + b->at_width), b->head_width);
}

size_t blocks_read(const struct blocks *b, uint64_t block, uint64_t enough,
                   uint64_t v[PACKED_BLOCK]) {
    uint64_t left = b->count - block * PACKED_BLOCK, sum = 0;
    size_t n = left < PACKED_BLOCK ? (size_t)left : PACKED_BLOCK, i = 1;
    uint64_t at = bits_get(b->heads, block * (b->head_width + b->at_width) + b->head_width,
                           b->at_width);
    unsigned context = 0, several = b->contexts > 1 ? 7 : 0;
    v[0] = blocks_head(b, block);
    while (i < n && sum < enough) {
        // A file with right checksums that no writer made could lead astray.
        if (at > b->end) at = b->end;
        uint64_t word = bits_word(b->bits + (at >> 3)) >> (at & 7);
        unsigned entry = b->table[context][word & ((1 << HUFFMAN_BITS) - 1)];
        unsigned length = entry & 15, symbol = entry >> 4;
        uint64_t x = symbol;
        at += length;
        if (symbol >= EXACT) {
            unsigned raw = ((symbol - EXACT) >> 2) + 2;
            x = (uint64_t)(4 | ((symbol - EXACT) & 3)) << raw;
            if (length + raw > 56) {
                uint64_t low = at < b->end ? at : b->end, high = at + 32 < b->end ? at + 32 : b->end;
                x |= (bits_get(b->bits, low, 32) | bits_get(b->bits, high, 32) << 32) & bits_mask(raw);
            } else
                x |= word >> length & bits_mask(raw);
            at += raw;
        }
        context = b->class[symbol] & several;
        v[i++] = x;
        sum += x + 1;
    }
    return i;
}
