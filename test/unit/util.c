// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "util/bytes.h"
#include "util/crc32c.h"
#include "util/fail.h"
#include "util/number.h"

// Bit by bit, from the polynomial.
static uint32_t slow_crc(const uint8_t *p, size_t n) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < 8 * n; i++) {
        uint32_t bit = (crc ^ (uint32_t)(p[i / 8] >> i % 8)) & 1;
        crc = crc >> 1 ^ (bit ? 0x82f63b78u : 0);
    }
    return ~crc;
}

// Known answers; any length, start and split. The caller runs this with and
// without PIPE2048_CPU=plain, for both ways to compute it.
static void crc(void) {
    static const uint8_t zeros[32];
    uint8_t data[120];
    CHECK(crc32c(0, "123456789", 9) == 0xe3069283u, "%08x", crc32c(0, "123456789", 9));
    CHECK(crc32c(0, zeros, 32) == 0x8a9136aau, "%08x", crc32c(0, zeros, 32));
    CHECK(crc32c(0, "", 0) == 0 && crc32c(0x12345678u, "", 0) == 0x12345678u, "nothing");
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * i * 31 + 7);
    for (size_t from = 0; from < 9; from++)
        for (size_t n = 0; n + from <= sizeof data; n++) {
            uint32_t expected = slow_crc(data + from, n);
            for (size_t cut = 0; cut <= n; cut++)
                CHECK(crc32c(crc32c(0, data + from, cut), data + from + cut, n - cut) == expected,
                      "%zu bytes from %zu, split at %zu", n, from, cut);
        }
}

static void bytes(void) {
    uint8_t b[8];
    put_u64(b, 0x0123456789abcdefu);
    CHECK(memcmp(b, "\xef\xcd\xab\x89\x67\x45\x23\x01", 8) == 0, "u64 is not little-endian");
    CHECK(get_u64(b) == 0x0123456789abcdefu && get_u32(b) == 0x89abcdefu && get_u16(b) == 0xcdef,
          "reading back");
    put_u32(b, 0xfedcba98u);
    CHECK(memcmp(b, "\x98\xba\xdc\xfe", 4) == 0 && get_u32(b) == 0xfedcba98u, "u32");
    put_u16(b, 0xfe98);
    CHECK(b[0] == 0x98 && b[1] == 0xfe && get_u16(b) == 0xfe98, "u16");
    put_f64(b, 0.1);
    CHECK(get_u64(b) == 0x3fb999999999999au && get_f64(b) == 0.1, "f64");
}

static void whole_numbers(void) {
    static const char *const bad[] = {"", " ", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "a",
                                      "1a", "18446744073709551616", "99999999999999999999999", "1K"};
    uint64_t v = 42;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fail("%s", "");
        CHECK(number_u64(bad[i], 0, UINT64_MAX, &v) == -1 && v == 42 && fail_text()[0], "'%s'", bad[i]);
    }
    CHECK(number_u64("18446744073709551615", 0, UINT64_MAX, &v) == 0 && v == UINT64_MAX, "largest");
    CHECK(number_u64("0", 0, 9, &v) == 0 && v == 0, "0");
    CHECK(number_u64("007", 0, 9, &v) == 0 && v == 7, "7");
    CHECK(number_u64("4", 5, 9, &v) == -1 && strstr(fail_text(), "at least 5"), "%s", fail_text());
    CHECK(number_u64("10", 5, 9, &v) == -1 && strstr(fail_text(), "at most 9"), "%s", fail_text());
    CHECK(number_u64("5", 5, 9, &v) == 0 && number_u64("9", 5, 9, &v) == 0, "bounds");
}

static void sizes(void) {
    static const char *const bad[] = {"", "K", "1KB", "1k", "1 K", "-1K", "16777216T", "1.5G", "1KK",
                                      "18446744073709551615K", "1X"};
    uint64_t v = 42;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fail("%s", "");
        CHECK(number_size(bad[i], 0, UINT64_MAX, &v) == -1 && v == 42 && fail_text()[0], "'%s'", bad[i]);
    }
    CHECK(number_size("3", 0, 9, &v) == 0 && v == 3, "3");
    CHECK(number_size("3K", 0, 9999, &v) == 0 && v == 3072, "3K");
    CHECK(number_size("5M", 0, UINT64_MAX, &v) == 0 && v == 5u << 20, "5M");
    CHECK(number_size("7G", 0, UINT64_MAX, &v) == 0 && v == (uint64_t)7 << 30, "7G");
    CHECK(number_size("16777215T", 0, UINT64_MAX, &v) == 0 && v == (uint64_t)16777215 << 40, "T");
    CHECK(number_size("10K", 0, 10000, &v) == -1, "above the bound");
}

static void fractions(void) {
    static const char *const bad[] = {"", " ", ".", "-", "nan", "inf", "-inf", "1e999", "0.1x", " 0.1",
                                      "0.1 ", "0,1", "1.5", "-0.1", "0x1", "0x.8p0", "1e", "--1"};
    double v = 42;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fail("%s", "");
        CHECK(number_f64(bad[i], 0, 1, &v) == -1 && v == 42 && fail_text()[0], "'%s'", bad[i]);
    }
    CHECK(number_f64("0.1", 0, 1, &v) == 0 && v == 0.1, "0.1");
    CHECK(number_f64(".5", 0, 1, &v) == 0 && v == 0.5, ".5");
    CHECK(number_f64("1", 0, 1, &v) == 0 && v == 1, "1");
    CHECK(number_f64("5e-1", 0, 1, &v) == 0 && v == 0.5, "5e-1");
    CHECK(number_f64("-2.5", -3, 0, &v) == 0 && v == -2.5, "-2.5");
}

// Texts are the shortest that read back as the same number.
static void number_texts(void) {
    static const struct {
        double v;
        const char *text;
    } known[] = {{0, "0"}, {0.1, "0.1"}, {1, "1"}, {-3, "-3"}, {0.5, "0.5"}, {100000, "100000"},
                 {1234567890123, "1234567890123"}, {1.0 / 3, "0.3333333333333333"}, {1e300, "1e+300"}};
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(strcmp(number_text(known[i].v, text), known[i].text) == 0, "%s", text);
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        double v;
        memcpy(&v, &x, sizeof v);
        if (!isfinite(v)) continue;
        CHECK(strtod(number_text(v, text), NULL) == v && strlen(text) < NUMBER_TEXT, "%s", text);
    }
}

// A failure's text is one line, may quote the one before, and has an end.
static void failures(void) {
    CHECK(fail("a\nb\tc%c", 27) == -1 && strcmp(fail_text(), "a?b?c?") == 0, "%s", fail_text());
    fail("outer: %s", fail_text());
    CHECK(strcmp(fail_text(), "outer: a?b?c?") == 0, "%s", fail_text());
    static char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    fail("%s", longest);
    CHECK(strlen(fail_text()) > 500 && strlen(fail_text()) < 2000, "%zu", strlen(fail_text()));
    CHECK(fail_alloc(SIZE_MAX / 2, 16) == NULL && strstr(fail_text(), "memory"), "%s", fail_text());
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {
        {"crc", crc},     {"bytes", bytes},         {"whole-numbers", whole_numbers},
        {"sizes", sizes}, {"fractions", fractions}, {"number-texts", number_texts},
        {"failures", failures}, {0}};
    return check_main(cases, argc, argv);
}
