// SPDX-License-Identifier: MIT
#include "util/cpu.h"

#include <stdlib.h>
#include <string.h>

static int plain_wanted(void) {
    const char *wish = getenv("PIPE2048_CPU");
    return wish && strcmp(wish, "plain") == 0;
}

#ifdef WITH_V3
#include <cpuid.h>

// Old compilers cannot ask for this one by name.
static int has_f16c(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c >> 29 & 1;
}

// AMD before Zen 3 has PEXT and PDEP in microcode, slower than our plain loops.
static int slow_pext(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(0, &a, &b, &c, &d) || c != 0x444d4163) return 0; // "cAMD"
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    unsigned family = (a >> 8 & 15) + (a >> 20 & 255);
    return family < 0x19;
}

enum cpu cpu_best(void) {
    __builtin_cpu_init();
    int able = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && has_f16c() && __builtin_cpu_supports("popcnt");
    return able && !slow_pext() && !plain_wanted() ? CPU_V3 : CPU_PLAIN;
}

int cpu_has_crc(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2") && !plain_wanted();
}
#else
enum cpu cpu_best(void) {
    (void)plain_wanted;
    return CPU_PLAIN;
}

int cpu_has_crc(void) { return 0; }
#endif
