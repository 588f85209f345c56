// SPDX-License-Identifier: MIT
// Network definitions: what is read, and what is refused with name and line.
#include "check.h"
#include "ntuple/network.h"
#include "util/fail.h"

static void accept(struct network *net, const char *text) {
    CHECK(network_parse(net, "n.net", text, strlen(text)) == 0, "%s: %s", text, fail_text());
}

// The same network in different spellings; the text is kept as it was.
static void accepts(void) {
    static const char *const texts[] = {
        "board 2x3\nvalues 11\ntuple 0 1 2\ntuple 5 4\n",
        "board 2x3\nvalues 11\ntuple 0 1 2\ntuple 5 4",
        "values 11\nboard 2x3\ntuple 0 1 2\ntuple 5 4\n",
        "board 2x3\r\n\r\nvalues 11\r\ntuple 0 1 2 \r\ntuple 5 4\r\n",
        "# a comment\n\n  board\t2x3 # another\nvalues   11\t\n\n\ttuple\t0  1 2#\ntuple 5 4 # 3\n#",
        "board 2x3\ntuple 0 1 2\nvalues 11\ntuple 5 4\n\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct network net;
        accept(&net, texts[i]);
        CHECK(net.shape.rows == 2 && net.shape.cols == 3, "text %zu: the board", i);
        CHECK(net.values == 11 && net.tuples == 2, "text %zu: values, tuples", i);
        CHECK(net.tuple[0].n == 3 && memcmp(net.tuple[0].cell, "\0\1\2", 3) == 0, "text %zu", i);
        CHECK(net.tuple[1].n == 2 && memcmp(net.tuple[1].cell, "\5\4", 2) == 0, "text %zu", i);
        CHECK(network_parameters(&net) == 11 * 11 * 11 + 11 * 11, "text %zu: parameters", i);
        CHECK(network_features(&net) == 8, "text %zu: features", i);
        size_t n = strlen(texts[i]);
        CHECK(memcmp(net.text, texts[i], n) == 0, "text %zu is not kept", i);
        CHECK(net.size == n + (texts[i][n - 1] != '\n'), "text %zu has size %zu", i, net.size);
        CHECK(strlen(net.text) == net.size && net.text[net.size - 1] == '\n', "text %zu: its end", i);
        network_free(&net);
    }
}

// What the format allows at most, and one more of each.
static void limits(void) {
    char text[8192] = "board 4x4\nvalues 15\ntuple 0 1 2 3 4 5 6 7 8 9 10 11\n";
    struct network net;
    accept(&net, text);
    CHECK(net.tuple[0].n == 12 && network_parameters(&net) != 0, "12 cells");
    network_free(&net);
    snprintf(text, sizeof text, "board 4x4\nvalues 2\n");
    for (unsigned i = 0; i < MOST_TUPLES; i++) strcat(text, "tuple 0 15\n");
    accept(&net, text);
    CHECK(net.tuples == MOST_TUPLES && network_parameters(&net) == 4 * MOST_TUPLES, "64 tuples");
    network_free(&net);
    strcat(text, "tuple 1\n");
    CHECK(network_parse(&net, "n.net", text, strlen(text)) == -1, "65 tuples are taken");
    CHECK(strcmp(fail_text(), "n.net: line 67: too many tuples (64 at most)") == 0, "%s", fail_text());
    // 16^12 is 2^48.
    accept(&net, "board 4x4\nvalues 16\ntuple 0 1 2 3 4 5 6 7 8 9 10 11\n");
    CHECK(network_parameters(&net) == 0, "2^48 fit");
    network_free(&net);
}

// Tuples times splits are limited together.
static void tables(void) {
    char text[8192] = "board 4x4\nvalues 18\nsplit 1-9 10-17\n";
    struct network net;
    for (unsigned i = 0; i < MOST_TABLES / 2; i++) strcat(text, "tuple 0 15\n");
    accept(&net, text);
    network_free(&net);
    strcat(text, "tuple 1\n");
    CHECK(network_parse(&net, "n.net", text, strlen(text)) == -1, "66 tables are taken");
    CHECK(strcmp(fail_text(), "n.net: tuples times splits are more than 64") == 0, "%s", fail_text());
}

static void expect_stage(const char *stages, const char *board, unsigned want) {
    char text[128];
    struct network net;
    struct board b;
    snprintf(text, sizeof text, "board 4x4\nvalues 16\n%s\ntuple 0\n", stages);
    accept(&net, text);
    CHECK(board_parse(&net.shape, board, &b) == 0, "%s", fail_text());
    CHECK(network_stage(&net, b) == want, "%s: %s is in stage %u, not %u", stages, board, network_stage(&net, b), want);
    network_free(&net);
}

// The examples of the papers.
static void stages(void) {
    static const char *const g4 = "stages 2^4", *const two = "stages 32768";
    expect_stage(g4, "2,4,8,2048/2048,2048,0,0/0,0,0,0/0,0,0,0", 0);
    expect_stage(g4, "2,4,8,4096/0,0,0,0/0,0,0,0/0,0,0,0", 1);
    expect_stage(g4, "4096,4,8,4096/0,0,0,0/0,0,0,0/0,0,0,0", 1);
    expect_stage(g4, "2,4,8192,2048/0,0,0,0/0,0,0,0/0,0,0,0", 2);
    expect_stage(g4, "2,4,8192,4096/0,0,0,0/0,0,0,0/0,0,0,0", 3);
    expect_stage(g4, "16384,4,2,2/0,0,0,0/0,0,0,0/0,0,0,0", 4);
    expect_stage(g4, "32768,16384,8192,4096/0,0,0,0/0,0,0,0/0,0,0,0", 15);
    expect_stage(g4, "65536,4,8192,2/0,0,0,0/0,0,0,0/0,0,0,0", 10);
    expect_stage("stages 2^2 512", "512,256,128,0/0,0,0,0/0,0,0,0/0,0,0,0", 3);
    expect_stage(two, "16384,8192,4096,2048/16384,0,0,0/0,0,0,0/0,0,0,0", 0);
    expect_stage(two, "32768,8192,4096,2048/0,0,0,0/0,0,0,0/0,0,0,0", 1);
    expect_stage(two, "131072,8192,4096,2048/0,0,0,0/0,0,0,0/0,0,0,0", 1);
    expect_stage("stages 1024 4096", "1024,8,0,0/0,0,0,0/0,0,0,0/0,0,0,8192", 2);
    expect_stage("", "131072,8192,4096,2048/0,0,0,0/0,0,0,0/0,0,0,0", 0);
}

static void refuse(const char *text, size_t size, const char *reason) {
    struct network net;
    CHECK(network_parse(&net, "n.net", text, size) == -1, "taken: %s", text);
    CHECK(strncmp(fail_text(), "n.net: ", 7) == 0, "no name: %s", fail_text());
    CHECK(strstr(fail_text() + 7, reason) == fail_text() + 7, "%s: %s, not %s", text, fail_text(), reason);
}

static void refuses(void) {
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"", "'board' is missing"},
        {"# nothing\n", "'board' is missing"},
        {"values 4\n", "'board' is missing"},
        {"board 2x2\n", "'values' is missing"},
        {"board 2x2\ntuple 0\n", "'values' is missing"},
        {"board 2x2\nvalues 4\n", "has no tuple"},
        {"values 4\ntuple 0\nboard 2x2\n", "line 2: 'board' must come before"},
        {"board 2x2\nvalues 4\n\ntuple 0 4\n", "line 4: cell '4': "},
        {"board 2x2\nvalues 4\ntuple 0 -1\n", "line 3: cell '-1': "},
        {"board 2x2\nvalues 4\ntuple 0 x\n", "line 3: cell 'x': "},
        {"board 2x2\nvalues 4\ntuple 0 1.5\n", "line 3: cell '1.5': "},
        {"board 2x2\nvalues 4\ntuple 0,1\n", "line 3: cell '0,1': "},
        {"board 2x2\nvalues 4\ntuple 18446744073709551616\n", "line 3: cell '18446744073709551616': "},
        {"board 2x2\nvalues 4\ntuple 1 0 1\n", "line 3: cell 1 twice"},
        {"board 2x2\nvalues 4\ntuple\n", "line 3: a tuple without cells"},
        {"board 2x2\nvalues 4\ntuple # 0\n", "line 3: a tuple without cells"},
        {"board 4x4\nvalues 2\ntuple 0 1 2 3 4 5 6 7 8 9 10 11 12\n", "line 3: a tuple has at most 12"},
        {"board 2x2\nvalues 4\ntuples 0 1\n", "line 3: unknown word 'tuples'"},
        {"board 2x2\nvalues 4\nstage 0\n", "line 3: unknown word 'stage'"},
        {"board 2x2\nvalues 4\nTuple 0\n", "line 3: unknown word 'Tuple'"},
        {"board 2x2\nboard 2x2\n", "line 2: 'board' again"},
        {"board 2x2\nvalues 4\nvalues 4\n", "line 3: 'values' again"},
        {"board\n", "line 1: 'board' needs one value"},
        {"board 2x2 2x2\n", "line 1: 'board' needs one value"},
        {"board 5x4\n", "line 1: "},
        {"board 1x1\n", "line 1: "},
        {"board 4\n", "line 1: "},
        {"board 2x2\nvalues\n", "line 2: 'values' needs one value"},
        {"board 2x2\nvalues 4 4\n", "line 2: 'values' needs one value"},
        {"board 2x2\nvalues 1\n", "line 2: "},
        {"board 2x2\nvalues 19\n", "line 2: "},
        {"board 2x2\nvalues -4\n", "line 2: "},
        {"board 2x2\nvalues four\n", "line 2: "},
        {"board 2x2\r\nvalues 4\r\ntuple 9\r\n", "line 3: cell '9': "},
        {"board 2x2\nsplit 1-3\nvalues 4\n", "line 2: 'values' must come before 'split'"},
        {"board 2x2\nvalues 4\nsplit 1-3\nsplit 1-3\n", "line 4: 'split' again"},
        {"board 2x2\nvalues 4\nsplit\n", "line 3: no split has the value 1"},
        {"board 2x2\nvalues 4\nsplit 2-3\n", "line 3: no split has the value 1"},
        {"board 2x2\nvalues 4\nsplit 1-2\n", "line 3: no split has the value 3"},
        {"board 2x2\nvalues 8\nsplit 1-2 4-7\n", "line 3: no split has the value 3"},
        {"board 2x2\nvalues 8\nsplit 1-4 1-7\n", "line 3: splits are out of order"},
        {"board 2x2\nvalues 8\nsplit 1-6 2-5 6-7\n", "line 3: splits are out of order"},
        {"board 2x2\nvalues 8\nsplit 1-7 7-7\n", "line 3: splits are out of order"},
        {"board 2x2\nvalues 8\nsplit 1-4 5-8\n", "line 3: a split is LOW-HIGH, from 1 to 7"},
        {"board 2x2\nvalues 8\nsplit 0-4 5-7\n", "line 3: a split is LOW-HIGH, from 1 to 7"},
        {"board 2x2\nvalues 8\nsplit 4-1\n", "line 3: a split is LOW-HIGH, from 1 to 7"},
        {"board 2x2\nvalues 8\nsplit 7\n", "line 3: a split is LOW-HIGH, from 1 to 7"},
        {"board 2x2\nvalues 18\nsplit 1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 9-17\n", "line 3: too many splits"},
        {"board 2x2\nvalues 4\nstages\n", "line 3: 'stages' needs tiles, or 2^G"},
        {"board 2x2\nvalues 4\nstages 3\n", "line 3: '3': not a tile"},
        {"board 2x2\nvalues 4\nstages 262144\n", "line 3: '262144': not a tile"},
        {"board 2x2\nvalues 4\nstages 16 8\n", "line 3: stages are out of order"},
        {"board 2x2\nvalues 4\nstages 8 8\n", "line 3: stages are out of order"},
        {"board 2x2\nvalues 4\nstages 2 4 8 16 32 64 128 256 512\n", "line 3: too many stages"},
        {"board 2x2\nvalues 4\nstages 8\nstages 8\n", "line 4: 'stages' again"},
        {"board 2x2\nvalues 4\nstages 2^0\n", "line 3: 2^0: "},
        {"board 2x2\nvalues 4\nstages 2^9\n", "line 3: 2^9: "},
        {"board 2x2\nvalues 4\nstages 2^x\n", "line 3: 2^x: "},
        {"board 2x2\nvalues 4\nstages 2^3 4\n", "line 3: there are not so many tiles"},
        {"board 2x2\nvalues 4\nstages 2^3 9\n", "line 3: stages 2^G, or 2^G TILE"},
        {"board 2x2\nvalues 4\nstages 2^3 64 64\n", "line 3: stages 2^G, or 2^G TILE"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i].text, strlen(bad[i].text), bad[i].reason);
    static const char zero[] = "board 2x2\nvalues 4\ntuple 0\n\0";
    refuse(zero, sizeof zero, "no network definition");
    static char large[NETWORK_TEXT + 1];
    memset(large, '\n', sizeof large);
    refuse(large, sizeof large, "no network definition");
}

// As large as a text may be with the newline that is added, from a file.
static void files(void) {
    struct network net;
    static const char head[] = "board 2x2\nvalues 4\ntuple 0 1\n#";
    for (int over = 0; over < 2; over++) {
        FILE *f = fopen("large.net", "w");
        CHECK(f, "large.net");
        fputs(head, f);
        for (size_t i = strlen(head); i < NETWORK_TEXT - 1 + (size_t)over; i++) fputc('x', f);
        CHECK(fclose(f) == 0, "large.net");
        int status = network_load(&net, "large.net");
        CHECK(status == (over ? -1 : 0), "%d more: %s", over, fail_text());
        if (over) CHECK(strcmp(fail_text(), "large.net: no network definition") == 0, "%s", fail_text());
        if (!over) CHECK(net.size == NETWORK_TEXT, "size %zu", net.size);
        if (!over) network_free(&net);
    }
    CHECK(network_load(&net, "missing.net") == -1, "a missing file is taken");
    CHECK(strncmp(fail_text(), "missing.net: ", 13) == 0, "%s", fail_text());
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"accepts", accepts},
                                              {"limits", limits},
                                              {"tables", tables},
                                              {"stages", stages},
                                              {"refuses", refuses},
                                              {"files", files},
                                              {NULL, NULL}};
    return check_main(cases, argc, argv);
}
