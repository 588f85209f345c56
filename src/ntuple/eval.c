// SPDX-License-Identifier: MIT
#include "ntuple/eval.h"

#include "util/cpu.h"

extern const struct ntuple_kernel ntuple_kernel_plain;
#ifdef WITH_V3
extern const struct ntuple_kernel ntuple_kernel_v3;
#endif

const struct ntuple_kernel *ntuple_kernel_best(void) {
#ifdef WITH_V3
    if (cpu_best() == CPU_V3) return &ntuple_kernel_v3;
#endif
    return &ntuple_kernel_plain;
}

