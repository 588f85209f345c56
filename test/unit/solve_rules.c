// SPDX-License-Identifier: MIT
// The solver's rules and IDs against the game's own.
#include <stdint.h>

#include "check.h"
#include "game/rng.h"
#include "solve/ids.h"
#include "solve/pile.h"
#include "solve/rules.h"

extern const struct solve_kernel solve_kernel_plain;
#ifdef WITH_V3
extern const struct solve_kernel solve_kernel_v3;
#endif

enum { MANY = 2000 };

static const unsigned shapes[][2] = {{1, 2}, {2, 1}, {1, 5}, {6, 1}, {2, 2}, {2, 3}, {3, 2}, {2, 4},
                                     {3, 3}, {2, 5}, {5, 2}, {4, 3}, {3, 4}, {2, 6}, {2, 7}, {7, 2}, {1, 14}};

// Both kernels that this machine runs.
static unsigned kernels(const struct solve_kernel *to[2]) {
    unsigned n = 0;
    to[n++] = &solve_kernel_plain;
#ifdef WITH_V3
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) to[n++] = &solve_kernel_v3;
#endif
    return n;
}

// Random boards with many equal and empty cells.
static void random_boards(struct rng *rng, unsigned cells, uint64_t *board, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t x = rng_next(rng), most = 2 + rng_split(&x, 11);
        board[i] = 0;
        for (unsigned c = 0; c < cells; c++) {
            x = rng_next(rng);
            board[i] |= rng_split(&x, most) << 4 * c;
        }
    }
}

static void each_shape(void (*run)(struct rules *, const uint64_t *boards)) {
    static uint64_t board[MANY];
    struct rng rng = rng_stream(5, 0);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct shape shape;
        struct rules rules;
        CHECK(shape_init(&shape, shapes[i][0], shapes[i][1]) == 0, "shape %zu", i);
        CHECK(rules_init(&rules, &shape) == 0, "shape %zu", i);
        random_boards(&rng, shape.cells, board, MANY);
        const struct solve_kernel *kernel[2];
        for (unsigned k = kernels(kernel); k-- > 0;) {
            rules.kernel = kernel[k];
            run(&rules, board);
        }
    }
}

static void normal_one(struct rules *r, const uint64_t *boards) {
    static uint64_t normal[MANY];
    // Odd counts reach the vector's rest.
    for (size_t n = 1; n <= MANY; n = n * 3 + 2) {
        memcpy(normal, boards, n * sizeof *normal);
        r->kernel->normal(r, normal, n);
        for (size_t i = 0; i < n; i++)
            CHECK(normal[i] == board_normal(&r->shape, (struct board){boards[i], 0}).lo, "%ux%u %lx",
                  r->shape.rows, r->shape.cols, (unsigned long)boards[i]);
    }
}

static void normal(void) { each_shape(normal_one); }

static void spawn_one(struct rules *r, const uint64_t *boards) {
    static uint64_t made[MANY * 14];
    static uint8_t empty[MANY];
    for (unsigned e = 1; e <= 2; e++) {
        size_t n = r->kernel->spawn(r, boards, MANY, e, made), k = 0;
        CHECK(r->kernel->empty(r, boards, MANY, empty) == n, "counts differ");
        for (size_t i = 0; i < MANY; i++) {
            size_t before = k;
            for (unsigned c = 0; c < r->shape.cells; c++)
                if (!board_cell((struct board){boards[i], 0}, c))
                    CHECK(made[k++] == board_put((struct board){boards[i], 0}, c, e).lo, "board %zu", i);
            CHECK(k - before == empty[i], "board %zu", i);
        }
        CHECK(k == n, "%zu of %zu", k, n);
    }
}

static void spawn(void) { each_shape(spawn_one); }

static void slide_one(struct rules *r, const uint64_t *boards) {
    static uint64_t with[MANY * 4], without[MANY * 4];
    static uint32_t reward[MANY * 4];
    static uint8_t moves[MANY];
    static const enum move order[4] = {LEFT, RIGHT, UP, DOWN};
    uint64_t terminal = 0, over = 0;
    size_t n = r->kernel->slide(r, boards, MANY, without, &terminal), k = 0;
    CHECK(r->kernel->slide_rewards(r, boards, MANY, with, reward, moves) == n, "counts differ");
    CHECK(memcmp(with, without, n * sizeof *with) == 0, "afterstates differ");
    for (size_t i = 0; i < MANY; i++) {
        struct board b = {boards[i], 0}, after;
        size_t before = k;
        for (int m = 0; m < 4; m++) {
            uint32_t worth = board_slide(&r->shape, b, order[m], &after);
            if (board_equal(after, b)) continue;
            CHECK(with[k] == board_normal(&r->shape, after).lo && reward[k] == worth, "%lx %d",
                  (unsigned long)b.lo, m);
            k++;
        }
        CHECK(moves[i] == k - before, "board %zu", i);
        over += k == before;
    }
    CHECK(terminal == over && k == n, "%lu terminal, not %lu", (unsigned long)terminal, (unsigned long)over);
}

static void slide(void) { each_shape(slide_one); }

static void ids_one(struct rules *r, const uint64_t *boards) {
    uint64_t last_board = 0, last_id = 0, last_age = 0;
    for (size_t i = 0; i < MANY; i++) {
        struct id_codec codec;
        uint64_t age = board_age(&r->shape, (struct board){boards[i], 0});
        if (age < 2 || age >= 65536) continue;
        CHECK(id_codec_init(&codec, age) == 0, "age %lu", (unsigned long)age);
        uint64_t id = id_pack(&codec, boards[i]);
        CHECK(id_unpack(&codec, id) == boards[i], "%lx", (unsigned long)boards[i]);
        if (age == last_age) CHECK((boards[i] < last_board) == (id < last_id), "%lx", (unsigned long)boards[i]);
        last_board = boards[i];
        last_id = id;
        last_age = age;
    }
}

static void ids(void) { each_shape(ids_one); }

// Distinct numbers of piles, sorted: against the obvious.
static void piles(void) {
    enum { N = 100000, PILES = 7 };
    struct chunk_pool *pool = chunk_pool_open(2);
    struct piles p;
    struct heap heap = {0};
    struct rng rng = rng_stream(9, 9);
    static uint8_t seen[20000];
    CHECK(pool && piles_init(&p, pool, 2, PILES) == 0, "memory");
    for (int round = 0; round < 3; round++) {
        size_t distinct = 0, found = 0;
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < N; i++) {
            uint64_t x = rng_next(&rng), v = 1 + rng_split(&x, sizeof seen - 1);
            distinct += !seen[v];
            seen[v] = 1;
            CHECK(pile_put(&p, (unsigned)i & 1, pile_of(v, PILES), v) == 0, "memory");
        }
        for (unsigned i = 0; i < PILES; i++) {
            int64_t n = pile_distinct(&p, i & 1, i, &heap);
            heap_sort(&heap, (size_t)n);
            for (int64_t k = 0; k < n; k++) {
                CHECK(seen[heap.list[k]] == 1 && pile_of(heap.list[k], PILES) == i, "pile %u", i);
                CHECK(k == 0 || heap.list[k] > heap.list[k - 1], "not sorted");
            }
            found += (size_t)n;
            CHECK(pile_count(&p, i) == 0, "pile %u is not taken down", i);
        }
        CHECK(found == distinct, "%zu of %zu", found, distinct);
    }
    heap_free(&heap);
    piles_free(&p);
    chunk_pool_close(pool);
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"normal", normal}, {"spawn", spawn}, {"slide", slide},
                                              {"ids", ids},       {"piles", piles}, {NULL, NULL}};
    return check_main(cases, argc, argv);
}
