// SPDX-License-Identifier: MIT
#include "solve/rules.h"

#include <pthread.h>

#include "game/kernel.h"
#include "util/cpu.h"
#include "util/fail.h"

extern const struct solve_kernel solve_kernel_plain;
#ifdef WITH_V3
extern const struct solve_kernel solve_kernel_v3;
#endif

const struct solve_kernel *solve_kernel_best(void) {
#ifdef WITH_V3
    if (cpu_best() == CPU_V3) return &solve_kernel_v3;
#endif
    return &solve_kernel_plain;
}

// Both slides of every line of n cells, made at the first use.
static const uint64_t *pair_table(unsigned n) {
    static uint64_t *tables[LONGEST_PAIRED + 1];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    uint64_t *table = tables[n];
    struct shape line;
    if (!table && n > 1 && shape_init(&line, 1, n) == 0 &&
        (table = fail_alloc((size_t)1 << 4 * n, sizeof *table))) {
        for (uint64_t x = 0; x < (uint64_t)1 << 4 * n; x++) {
            struct board first, last;
            uint32_t reward = board_slide_slowly(&line, (struct board){x, 0}, LEFT, &first);
            board_slide_slowly(&line, (struct board){x, 0}, RIGHT, &last);
            table[x] = first.lo | last.lo << 20 | (uint64_t)(reward / 4) << 40;
        }
        tables[n] = table;
    }
    pthread_mutex_unlock(&lock);
    return table;
}

static void find_row_swaps(struct rules *r) {
    unsigned rows = r->shape.rows, width = 4 * r->shape.cols;
    uint64_t row = ((uint64_t)1 << width) - 1;
    for (unsigned k = 0; k < rows / 2; k++) {
        r->row_swap[k].low = row << k * width;
        r->row_swap[k].shift = (rows - 1 - 2 * k) * width;
    }
    r->row_swaps = rows / 2;
    if (rows & 1) r->row_still = row << rows / 2 * width;
}

static void find_diagonals(struct rules *r) {
    unsigned n = r->shape.rows;
    if (n != r->shape.cols) return;
    r->diagonals = n - 1;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i; j < n; j++) {
            uint64_t cell = (uint64_t)15 << 4 * (i * n + j);
            if (i == j)
                r->diagonal_still |= cell;
            else
                r->diagonal[j - i - 1].low |= cell;
        }
    for (unsigned d = 1; d < n; d++) r->diagonal[d - 1].shift = 4 * d * (n - 1);
}

int rules_init(struct rules *r, const struct shape *shape) {
    if (shape->cells > MOST_SOLVED_CELLS)
        return fail("%ux%u: the solver takes boards of at most %d cells", shape->rows, shape->cols,
                    MOST_SOLVED_CELLS);
    *r = (struct rules){.shape = *shape, .kernel = solve_kernel_best()};
    r->turn = 64 - 4 * shape->cells;
    r->lines[0] = shape->rows;
    r->lines[1] = shape->cols;
    find_row_swaps(r);
    find_diagonals(r);
    for (int axis = 0; axis < 2; axis++) {
        unsigned n = shape->length[axis];
        if (n < 2 || n > LONGEST_PAIRED) continue;
        r->pair[axis] = pair_table(n);
        if (!r->pair[axis]) return -1;
    }
    return 0;
}
