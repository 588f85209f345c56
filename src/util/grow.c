// SPDX-License-Identifier: MIT
#include "util/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

int grow(void *array, size_t n, size_t *room, size_t size) {
    if (n < *room) return 0;
    size_t wider = *room ? 2 * *room : 16;
    void *old, *moved;
    memcpy(&old, array, sizeof old);
    moved = wider > SIZE_MAX / size ? NULL : realloc(old, wider * size);
    if (!moved) return fail("memory: cannot get %zu x %zu bytes", wider, size);
    memcpy(array, &moved, sizeof moved);
    *room = wider;
    return 0;
}
