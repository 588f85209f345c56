// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli), the checksum inside our files: finds every single
// flipped bit and every burst of up to 32.
#ifndef UTIL_CRC32C_H
#define UTIL_CRC32C_H

#include <stddef.h>
#include <stdint.h>

// Continues from crc (0 at the start): crc32c(crc32c(0, a), b) is that of ab.
uint32_t crc32c(uint32_t crc, const void *data, size_t n);

#endif
