// SPDX-License-Identifier: MIT
#include "check.h"
#include "reference.h"
#include "util/fail.h"

static void round_trip_shape(struct shape *s) {
    struct rng r = rng_stream(s->rows, 1000 + s->cols);
    for (int i = 0; i < 2000; i++) {
        struct board b = random_board(s, &r), back;
        char text[BOARD_TEXT], again[BOARD_TEXT];
        memset(text, '#', sizeof text);
        board_text(s, b, text);
        CHECK(board_parse(s, text, &back) == 0 && board_equal(b, back), "%s: %s", text, fail_text());
        CHECK(strcmp(board_text(s, back, again), text) == 0, "%s", text);
    }
    struct board full = {0, 0}, back;
    char text[BOARD_TEXT];
    for (unsigned i = 0; i < s->cells; i++) full = board_put(full, i, MOST_EXPONENT);
    CHECK(strlen(board_text(s, full, text)) < BOARD_TEXT, "%s", text);
    CHECK(board_parse(s, text, &back) == 0 && board_equal(full, back), "%s", text);
}

static void round_trip(void) { each_shape(round_trip_shape); }

static void accepts(void) {
    struct shape s;
    struct board b;
    char text[BOARD_TEXT];
    CHECK(shape_init(&s, 2, 3) == 0, "2x3");
    CHECK(board_parse(&s, " 2, .,0 / 4 ,8,131072 ", &b) == 0, "%s", fail_text());
    CHECK(strcmp(board_text(&s, b, text), "2,0,0/4,8,131072") == 0, "%s", text);
    CHECK(board_parse(&s, ".,.,./.,.,.", &b) == 0 && b.lo == 0 && b.hi == 0, "%s", fail_text());
}

static void rejects(void) {
    static const char *const bad[] = {
        "", " ", "2", "2,0", "2,0/0", "2,0/0,", "2,0/0,0,", "2,0/0,0/", "2,0/0,0/0,0", "2,0,0/0,0",
        "2,0,0,0", "2/0/0/0", "2,0/0,1", "2,0/0,3", "2,0/0,6", "2,0/0,65535", "2,0/0,262144",
        "2,0/0,99999999", "2,0/0,4294967296", "2,0/0,18446744073709551616", "2,0/0,-2", "2,0/0,+2",
        "2,0/0,0x2", "2,0/0,2.", "2,0/0,..", "2,0/0,a", "2;0/0,0", "2,0\\0,0", "2,0/0,0x", ",0/0,0",
        "2,,0/0,0", "2,0//0,0", "2,0/0,2 2", "2,0/0,0\n", "2,0\t/0,0", "2 4,0/0,0",
        "2,0/0,00000000000000000002", "2, /0,0", "2,.0/0,0", "2,0/0,2e1"};
    struct shape s;
    CHECK(shape_init(&s, 2, 2) == 0, "2x2");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct board b = {7, 1};
        fail("%s", "");
        CHECK(board_parse(&s, bad[i], &b) == -1, "'%s' is taken", bad[i]);
        CHECK(fail_text()[0], "'%s': no reason", bad[i]);
        CHECK(b.lo == 7 && b.hi == 1, "'%s': the board is touched", bad[i]);
    }
}

static void shape_texts(void) {
    static const char *const bad[] = {"", "x", "4", "4x", "x4", "0x4", "4x0", "1x1", "4x5", "17x1",
        "1x17", "16x2", "4X4", "4x4x", "4x4 ", " 4x4", "4 x4", "4x 4", "+4x4", "4x+4", "-4x4", "4x-4",
        "4,4", "4x4x4", "99x99", "256x1", "4294967300x4", "1x100", "100x1"};
    struct shape s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fail("%s", "");
        CHECK(shape_parse(bad[i], &s) == -1, "'%s' is taken", bad[i]);
        CHECK(fail_text()[0], "'%s': no reason", bad[i]);
    }
    for (unsigned rows = 1; rows <= 16; rows++)
        for (unsigned cols = 1; cols <= 16; cols++) {
            char text[16];
            snprintf(text, sizeof text, "%ux%u", rows, cols);
            int good = rows * cols >= 2 && rows * cols <= 16;
            CHECK((shape_parse(text, &s) == 0) == good, "%s", text);
            CHECK(!good || (s.rows == rows && s.cols == cols && s.cells == rows * cols), "%s", text);
        }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"round-trip", round_trip}, {"accepts", accepts},
                                              {"rejects", rejects}, {"shapes", shape_texts}, {0}};
    return check_main(cases, argc, argv);
}
