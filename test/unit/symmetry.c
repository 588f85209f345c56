// SPDX-License-Identifier: MIT
#include "check.h"
#include "reference.h"

static void count_shape(struct shape *s) {
    unsigned expected = s->rows == s->cols ? 8 : s->rows == 1 || s->cols == 1 ? 2 : 4;
    CHECK(s->symmetries == expected, "%ux%u has %u", s->rows, s->cols, s->symmetries);
    for (unsigned k = 0; k < s->symmetries; k++) {
        unsigned seen = 0;
        for (unsigned i = 0; i < s->cells; i++) seen |= 1u << s->symmetry[k][i];
        CHECK(seen == (1u << s->cells) - 1, "%ux%u: %u is no permutation", s->rows, s->cols, k);
        for (unsigned j = 0; j < k; j++)
            CHECK(memcmp(s->symmetry[j], s->symmetry[k], s->cells) != 0, "%u is %u", k, j);
    }
    for (unsigned i = 0; i < s->cells; i++) CHECK(s->symmetry[0][i] == i, "0 is not the identity");
}

static void counts(void) { each_shape(count_shape); }

// The move that a symmetry makes of a move, from where the cells go: the first
// and the last line of a move's direction map onto those of its image.
static unsigned mapped(const struct shape *s, unsigned k, unsigned move) {
    unsigned found = 4, matches = 0;
    for (unsigned to = 0; to < 4; to++) {
        // On the image, tiles slid by `to` gather where they did on the original.
        int fits = 1;
        for (unsigned i = 0; i < s->cells; i++) {
            unsigned j = s->symmetry[k][i];
            unsigned r = i / s->cols, c = i % s->cols, r0 = j / s->cols, c0 = j % s->cols;
            unsigned depth[4] = {c, r, s->cols - 1 - c, s->rows - 1 - r};
            unsigned depth0[4] = {c0, r0, s->cols - 1 - c0, s->rows - 1 - r0};
            fits &= depth[to] == depth0[move];
        }
        if (fits) {
            found = to;
            matches++;
        }
    }
    // Across a single line both directions do nothing and either will do.
    CHECK(matches == 1 || s->rows == 1 || s->cols == 1, "%u moves fit", matches);
    return found;
}

static void commute_shape(struct shape *s) {
    struct rng r = rng_stream(s->cols, s->rows);
    unsigned map[8][4];
    for (unsigned k = 0; k < s->symmetries; k++)
        for (unsigned move = 0; move < 4; move++) map[k][move] = mapped(s, k, move);
    for (int n = 0; n < 2000; n++) {
        struct board b = random_board(s, &r);
        for (unsigned k = 0; k < s->symmetries; k++)
            for (unsigned move = 0; move < 4; move++) {
                struct board one, two;
                uint32_t reward = board_slide(s, b, (enum move)move, &one);
                uint32_t again =
                    board_slide(s, board_image(s, b, k), (enum move)map[k][move], &two);
                CHECK(reward == again && board_equal(board_image(s, one, k), two),
                      "%ux%u symmetry %u, %s", s->rows, s->cols, k, move_names[move]);
            }
    }
}

static void commute(void) { each_shape(commute_shape); }

static int less(struct board a, struct board b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static void normal_shape(struct shape *s) {
    struct rng r = rng_stream(s->cols, 100 + s->rows);
    for (int n = 0; n < 5000; n++) {
        struct board b = random_board(s, &r), normal = board_normal(s, b);
        int is_image = 0;
        for (unsigned k = 0; k < s->symmetries; k++) {
            struct board image = board_image(s, b, k);
            is_image |= board_equal(image, normal);
            CHECK(!less(image, normal), "an image is smaller");
            CHECK(board_equal(board_normal(s, image), normal), "an image has another normal form");
            for (unsigned i = 0; i < s->cells; i++)
                CHECK(board_cell(image, i) == board_cell(b, s->symmetry[k][i]), "image");
        }
        CHECK(is_image, "the normal form is no image");
        CHECK(board_equal(board_normal(s, normal), normal), "not idempotent");
    }
}

static void normal(void) { each_shape(normal_shape); }

int main(int argc, char **argv) {
    static const struct check_case cases[] = {
        {"counts", counts}, {"commute", commute}, {"normal", normal}, {0}};
    return check_main(cases, argc, argv);
}
