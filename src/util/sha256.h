// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4).
#ifndef UTIL_SHA256_H
#define UTIL_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t state[8];
    uint64_t n;
    uint8_t block[64];
};

enum { SHA256_TEXT = 65 };

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t n);

// The digest as 64 hexadecimal digits.
void sha256_text(struct sha256 *s, char to[SHA256_TEXT]);

#endif
