// SPDX-License-Identifier: MIT
#include "solve/huffman.h"

#include <stdlib.h>
#include <string.h>

struct leaf {
    uint32_t count;
    uint16_t symbol;
};

static int by_count(const void *a, const void *b) {
    const struct leaf *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? -1 : 1;
    return x->symbol < y->symbol ? -1 : 1;
}

// Depths of the Huffman tree over leaves in increasing order, by two queues.
static void depths(const struct leaf *leaf, unsigned n, uint8_t *depth) {
    uint64_t weight[2 * HUFFMAN_SYMBOLS];
    uint16_t parent[2 * HUFFMAN_SYMBOLS];
    unsigned next_leaf = 0, next_node = n;
    for (unsigned i = 0; i < n; i++) weight[i] = leaf[i].count;
    for (unsigned node = n; node < 2 * n - 1; node++) {
        weight[node] = 0;
        for (int child = 0; child < 2; child++) {
            int take_leaf = next_leaf < n &&
                            (next_node == node || weight[next_leaf] <= weight[next_node]);
            unsigned at = take_leaf ? next_leaf++ : next_node++;
            weight[node] += weight[at];
            parent[at] = (uint16_t)node;
        }
    }
    uint8_t level[2 * HUFFMAN_SYMBOLS];
    level[2 * n - 2] = 0;
    for (unsigned i = 2 * n - 2; i-- > 0;) {
        level[i] = (uint8_t)(level[parent[i]] + 1);
        if (i < n) depth[i] = level[i];
    }
}

void huffman_lengths(const uint32_t count[HUFFMAN_SYMBOLS], uint8_t length[HUFFMAN_SYMBOLS]) {
    struct leaf leaf[HUFFMAN_SYMBOLS];
    uint8_t depth[HUFFMAN_SYMBOLS];
    unsigned n = 0;
    memset(length, 0, HUFFMAN_SYMBOLS);
    for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++)
        if (count[i]) leaf[n++] = (struct leaf){count[i], (uint16_t)i};
    if (n == 1) length[leaf[0].symbol] = 1;
    if (n < 2) return;
    qsort(leaf, n, sizeof *leaf, by_count);
    depths(leaf, n, depth);
    // Too long codes are cut; the room they then take too much is given back
    // by lengthening the rarest of the others.
    uint32_t room = 1 << HUFFMAN_BITS, used = 0;
    for (unsigned i = 0; i < n; i++) {
        if (depth[i] > HUFFMAN_BITS) depth[i] = HUFFMAN_BITS;
        used += room >> depth[i];
    }
    for (unsigned i = 0; used > room; i = i + 1 < n ? i + 1 : 0)
        while (depth[i] < HUFFMAN_BITS && used > room) used -= room >> ++depth[i];
    // What was given back too much goes to the most frequent that can use it.
    for (unsigned i = n; i-- > 0;)
        while (depth[i] > 1 && used + (room >> depth[i]) <= room) used += room >> depth[i]--;
    for (unsigned i = 0; i < n; i++) length[leaf[i].symbol] = depth[i];
}

static unsigned reversed(unsigned code, unsigned n) {
    unsigned r = 0;
    for (unsigned i = 0; i < n; i++) r |= (code >> i & 1) << (n - 1 - i);
    return r;
}

void huffman_codes(const uint8_t length[HUFFMAN_SYMBOLS], uint16_t code[HUFFMAN_SYMBOLS]) {
    unsigned next = 0;
    memset(code, 0, HUFFMAN_SYMBOLS * sizeof *code);
    for (unsigned n = 1; n <= HUFFMAN_BITS; n++, next <<= 1)
        for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++)
            if (length[i] == n) code[i] = (uint16_t)reversed(next++, n);
}

int huffman_table(const uint8_t length[HUFFMAN_SYMBOLS], uint16_t table[1 << HUFFMAN_BITS]) {
    uint16_t code[HUFFMAN_SYMBOLS];
    uint32_t used = 0;
    for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++) {
        if (length[i] > HUFFMAN_BITS) return -1;
        if (length[i]) used += 1u << (HUFFMAN_BITS - length[i]);
    }
    if (used > 1u << HUFFMAN_BITS) return -1;
    huffman_codes(length, code);
    // Bits that no code begins with must still lead on: as symbol 0, one bit.
    for (unsigned i = 0; i < 1u << HUFFMAN_BITS; i++) table[i] = 1;
    for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++)
        for (unsigned k = code[i]; length[i] && k < 1u << HUFFMAN_BITS; k += 1u << length[i])
            table[k] = (uint16_t)(i << 4 | length[i]);
    return 0;
}

size_t huffman_put(const uint8_t length[HUFFMAN_SYMBOLS], uint8_t *to) {
    unsigned n = HUFFMAN_SYMBOLS;
    while (n > 1 && !length[n - 1]) n--;
    to[0] = (uint8_t)(n - 1);
    memset(to + 1, 0, (n + 1) / 2);
    for (unsigned i = 0; i < n; i++) to[1 + i / 2] |= (uint8_t)(length[i] << 4 * (i & 1));
    return 1 + (n + 1) / 2;
}

size_t huffman_get(const uint8_t *from, size_t size, uint8_t length[HUFFMAN_SYMBOLS]) {
    if (size < 1) return 0;
    unsigned n = from[0] + 1u;
    if (size < 1 + (n + 1) / 2) return 0;
    memset(length, 0, HUFFMAN_SYMBOLS);
    for (unsigned i = 0; i < n; i++) length[i] = from[1 + i / 2] >> 4 * (i & 1) & 15;
    return 1 + (n + 1) / 2;
}
