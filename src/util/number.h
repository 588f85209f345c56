// SPDX-License-Identifier: MIT
// Numbers as text: one strict parser each way, for options and for files.
#ifndef UTIL_NUMBER_H
#define UTIL_NUMBER_H

#include <stdint.h>

// The whole text must be a decimal number within [low, high].
// 0, or -1 with the reason alone as the failure's text ("not a number", ...).
int number_u64(const char *text, uint64_t low, uint64_t high, uint64_t *to);
int number_f64(const char *text, double low, double high, double *to);

// As number_u64, with an optional K, M, G or T (powers of 1024).
int number_size(const char *text, uint64_t low, uint64_t high, uint64_t *to);

// The shortest decimal text that reads back as the same number.
enum { NUMBER_TEXT = 32 };
const char *number_text(double v, char to[NUMBER_TEXT]);

#endif
