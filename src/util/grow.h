// SPDX-License-Identifier: MIT
// Arrays that grow.
#ifndef UTIL_GROW_H
#define UTIL_GROW_H

#include <stddef.h>

// Makes sure that an array of n elements has room for one more: doubles *room
// when it is full. array is the address of the pointer, which may change.
// 0, or -1 on failure; then nothing has changed.
int grow(void *array, size_t n, size_t *room, size_t size);

#endif
