// SPDX-License-Identifier: MIT
// Text in pictures: how wide it is, where it breaks, and numbers as people
// like to read them. Text is UTF-8; bytes that are not are taken as U+FFFD.
#ifndef PICTURE_TEXT_H
#define PICTURE_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { TEXT_LINE = 256, TEXT_NUMBER = 64 };

// The next character, past which *at is moved; 0 at the end. What XML cannot
// hold (control characters, bytes that are no UTF-8) is U+FFFD.
uint32_t text_next(const char **at);

// The width in a common sans-serif face of this size. Bold is wider.
double text_width(const char *text, double size);
double text_width_bold(const char *text, double size);

// Copies the text, cut short with an ellipsis if it is wider than that.
// Returns to.
const char *text_fit(const char *text, double size, double width, char to[TEXT_LINE]);

// Breaks the text at spaces into at most so many lines of this width; what is
// left ends in an ellipsis. Returns the number of lines.
unsigned text_wrap(const char *text, double size, double width, unsigned most,
                   char line[][TEXT_LINE]);

// A number with so many decimals and a comma between thousands.
const char *text_grouped(double v, int decimals, char to[TEXT_NUMBER]);

// The same without zeros at the end of the decimals.
const char *text_trimmed(double v, int decimals, char to[TEXT_NUMBER]);

// A number as m times a power of ten, with so many decimals of m.
const char *text_power(double v, int decimals, char to[TEXT_NUMBER]);

// A number to be read rather than computed with: about four digits, all digits
// of a whole number.
const char *text_number(double v, char to[TEXT_NUMBER]);

#endif
