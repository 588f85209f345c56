// SPDX-License-Identifier: MIT
// Prefix codes of at most 10 bits for up to 256 symbols.
#ifndef SOLVE_HUFFMAN_H
#define SOLVE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

enum { HUFFMAN_SYMBOLS = 256, HUFFMAN_BITS = 10 };

// Code lengths for symbols that occur so often, 0 for those that do not. A
// single symbol gets one bit.
void huffman_lengths(const uint32_t count[HUFFMAN_SYMBOLS], uint8_t length[HUFFMAN_SYMBOLS]);

// The codes, lowest bit first.
void huffman_codes(const uint8_t length[HUFFMAN_SYMBOLS], uint16_t code[HUFFMAN_SYMBOLS]);

// What the next 10 bits decode to: the symbol above 4 bits of its length.
// 0, or -1 if the lengths are those of no code (nothing is said by fail).
int huffman_table(const uint8_t length[HUFFMAN_SYMBOLS], uint16_t table[1 << HUFFMAN_BITS]);

// The lengths packed: one byte for how many there are less one, then 4 bits
// each. The bytes used, at most 129; 0 from reading if there are too few.
size_t huffman_put(const uint8_t length[HUFFMAN_SYMBOLS], uint8_t *to);
size_t huffman_get(const uint8_t *from, size_t n, uint8_t length[HUFFMAN_SYMBOLS]);

#endif
