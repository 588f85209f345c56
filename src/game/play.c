// SPDX-License-Identifier: MIT
#include "game/play.h"

#include "game/kernel.h"
#include "util/cpu.h"

extern const struct kernel kernel_plain;
#ifdef WITH_V3
extern const struct kernel kernel_v3;
#endif

const struct kernel *kernel_best(void) {
#ifdef WITH_V3
    if (cpu_best() == CPU_V3) return &kernel_v3;
#endif
    return &kernel_plain;
}

struct board play_start(const struct shape *shape, struct rng *rng, uint64_t p4) {
    struct board b = {0, 0};
    k_spawn(shape, &b, rng_next(rng), p4);
    k_spawn(shape, &b, rng_next(rng), p4);
    return b;
}
