// SPDX-License-Identifier: MIT
#include "game/board.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/kernel.h"
#include "game/play.h"
#include "util/fail.h"

const char *const move_names[4] = {"left", "up", "right", "down"};

enum { LONGEST_TABLED = 4 };

// Slides n exponents towards index 0; returns the reward.
static uint32_t slide_line(uint8_t *cell, unsigned n) {
    unsigned to = 0, merged = 0; // cell[to - 1] may take a merge unless merged
    uint32_t reward = 0;
    for (unsigned from = 0; from < n; from++) {
        uint8_t e = cell[from];
        if (e == 0) continue;
        cell[from] = 0;
        if (to > merged && cell[to - 1] == e) {
            cell[to - 1]++;
            merged = to;
            reward += (uint32_t)1 << (e + 1);
        } else
            cell[to++] = e;
    }
    return reward;
}

static void reverse(uint8_t *cell, unsigned n) {
    for (unsigned i = 0; i < n / 2; i++) {
        uint8_t t = cell[i];
        cell[i] = cell[n - 1 - i];
        cell[n - 1 - i] = t;
    }
}

// As slide_line, towards the last index if last is set.
static uint32_t slide_towards(uint8_t *cell, unsigned n, unsigned last) {
    if (last) reverse(cell, n);
    uint32_t reward = slide_line(cell, n);
    if (last) reverse(cell, n);
    return reward;
}

uint32_t board_slide_slowly(const struct shape *s, struct board b, enum move move,
                            struct board *after) {
    unsigned axis = move & 1, n = s->length[axis], lines = s->cells / n;
    unsigned step = axis ? s->cols : 1, first = axis ? 1 : s->cols;
    uint32_t reward = 0;
    for (unsigned k = 0; k < lines; k++) {
        uint8_t line[MOST_CELLS];
        for (unsigned i = 0; i < n; i++) line[i] = (uint8_t)board_cell(b, k * first + i * step);
        reward += slide_towards(line, n, move >> 1);
        for (unsigned i = 0; i < n; i++) b = board_put(b, k * first + i * step, line[i]);
    }
    *after = b;
    return reward;
}

// The move table of lines of n cells, made at its first use.
static const uint32_t *line_table(unsigned n, unsigned last) {
    static uint32_t *tables[LONGEST_TABLED + 1][2];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    uint32_t *table = tables[n][last];
    if (!table && (table = fail_alloc((size_t)1 << 4 * n, sizeof *table))) {
        for (uint32_t index = 0; index < (uint32_t)1 << 4 * n; index++) {
            uint8_t cell[LONGEST_TABLED] = {0};
            for (unsigned i = 0; i < n; i++) cell[i] = index >> 4 * i & 15;
            uint32_t reward = slide_towards(cell, n, last), result = 0;
            // 32768 twice overflows a nibble; k_large keeps such boards away.
            for (unsigned i = 0; i < n; i++) result |= (uint32_t)(cell[i] & 15) << 4 * i;
            table[index] = result | (reward / 4 & 0xffff) << 16;
        }
        tables[n][last] = table;
    }
    pthread_mutex_unlock(&lock);
    return table;
}

// All different images, the identity first: flips, and transposed if square.
static void find_symmetries(struct shape *s) {
    for (unsigned k = 0; k < 8; k++) {
        uint8_t *image = s->symmetry[s->symmetries];
        if (k & 4 && s->rows != s->cols) break;
        for (unsigned i = 0; i < s->cells; i++) {
            unsigned r = i / s->cols, c = i % s->cols;
            if (k & 1) c = s->cols - 1 - c;
            if (k & 2) r = s->rows - 1 - r;
            image[i] = (uint8_t)(k & 4 ? c * s->cols + r : r * s->cols + c);
        }
        int known = 0;
        for (unsigned j = 0; j < s->symmetries; j++)
            known |= memcmp(s->symmetry[j], image, s->cells) == 0;
        s->symmetries += !known;
    }
}

int shape_init(struct shape *s, unsigned rows, unsigned cols) {
    if (rows == 0 || cols == 0 || rows > MOST_CELLS || cols > MOST_CELLS ||
        rows * cols < 2 || rows * cols > MOST_CELLS)
        return fail("a board has 2 to 16 cells");
    *s = (struct shape){.rows = rows, .cols = cols, .cells = rows * cols};
    s->stride[0] = 4;
    s->stride[1] = 4 * cols;
    s->lines = rows > cols ? rows : cols;
    s->length[0] = cols;
    s->length[1] = rows;
    for (unsigned i = 0; i < s->cells; i++) {
        unsigned r = i / cols, c = i % cols;
        s->all |= (uint64_t)1 << 4 * i;
        if (c + 1 < cols) s->pairs[0] |= (uint64_t)1 << 4 * i;
        if (r + 1 < rows) s->pairs[1] |= (uint64_t)1 << 4 * i;
        s->line[0][r] |= (uint64_t)15 << 4 * i;
        s->line[1][c] |= (uint64_t)15 << 4 * i;
    }
    for (unsigned move = 0; move < 4; move++) {
        unsigned n = s->length[move & 1];
        if (n > LONGEST_TABLED) continue;
        s->table[move] = line_table(n, move >> 1);
        if (!s->table[move]) return -1;
    }
    find_symmetries(s);
    s->kernel = kernel_best();
    return 0;
}

int shape_parse(const char *text, struct shape *s) {
    unsigned rows, cols;
    int end = 0;
    // sscanf alone would also take spaces and signs.
    if (strspn(text, "0123456789x") != strlen(text) || strlen(text) > 5 ||
        sscanf(text, "%2ux%2u%n", &rows, &cols, &end) != 2 || text[end])
        return fail("not a board's shape, such as 4x4");
    return shape_init(s, rows, cols);
}

uint32_t board_slide(const struct shape *s, struct board b, enum move move, struct board *after) {
    return s->kernel->slide(s, b, move, after);
}

unsigned board_legal(const struct shape *s, struct board b) { return k_legal(s, b); }

uint64_t board_empty(const struct shape *s, struct board b) { return k_empty(s, b); }

uint64_t board_age(const struct shape *s, struct board b) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->cells; i++) {
        unsigned e = board_cell(b, i);
        if (e) sum += (uint64_t)1 << e;
    }
    return sum;
}

uint64_t board_potential(const struct shape *s, struct board b) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->cells; i++) {
        unsigned e = board_cell(b, i);
        if (e) sum += (uint64_t)(e - 1) << e;
    }
    return sum;
}

unsigned board_max(const struct shape *s, struct board b) {
    unsigned max = 0;
    for (unsigned i = 0; i < s->cells; i++) {
        unsigned e = board_cell(b, i);
        if (e > max) max = e;
    }
    return max;
}

struct board board_image(const struct shape *s, struct board b, unsigned k) {
    struct board image = {0, 0};
    for (unsigned i = 0; i < s->cells; i++)
        image = board_put(image, i, board_cell(b, s->symmetry[k][i]));
    return image;
}

struct board board_normal(const struct shape *s, struct board b) {
    struct board least = b;
    for (unsigned k = 1; k < s->symmetries; k++) {
        struct board image = board_image(s, b, k);
        if (image.hi < least.hi || (image.hi == least.hi && image.lo < least.lo)) least = image;
    }
    return least;
}

char *board_text(const struct shape *s, struct board b, char to[BOARD_TEXT]) {
    char *at = to;
    for (unsigned i = 0; i < s->cells; i++) {
        unsigned e = board_cell(b, i);
        const char *before = i == 0 ? "" : i % s->cols ? "," : "/";
        at += snprintf(at, (size_t)(to + BOARD_TEXT - at), "%s%lu", before, e ? 1ul << e : 0);
    }
    return to;
}

// Reads one tile and moves *text behind it. The exponent, or -1.
static int parse_tile(const char **text) {
    const char *at = *text;
    while (*at == ' ') at++;
    unsigned long tile = 0;
    int digits = 0;
    if (*at == '.')
        at++;
    else
        for (; *at >= '0' && *at <= '9' && digits < 8; at++, digits++)
            tile = tile * 10 + (unsigned long)(*at - '0');
    if (at == *text || (at[-1] != '.' && digits == 0)) return fail("a tile is missing");
    while (*at == ' ') at++;
    *text = at;
    if (tile == 0) return 0;
    if (tile == 1 || tile & (tile - 1)) return fail("%lu is no tile", tile);
    if (tile > 1ul << MOST_EXPONENT) return fail("tile %lu is above %lu", tile, 1ul << MOST_EXPONENT);
    return __builtin_ctzl(tile);
}

int board_parse(const struct shape *s, const char *text, struct board *to) {
    struct board b = {0, 0};
    for (unsigned i = 0; i < s->cells; i++) {
        int e = parse_tile(&text);
        if (e < 0) return -1;
        b = board_put(b, i, (unsigned)e);
        int last = i + 1 == s->cells;
        char expected = last ? '\0' : (i + 1) % s->cols ? ',' : '/';
        if (*text != expected)
            return fail("not a %ux%u board: %s expected after cell %u", s->rows, s->cols,
                        last ? "the end" : expected == ',' ? "','" : "'/'", i);
        text += !last;
    }
    *to = b;
    return 0;
}
