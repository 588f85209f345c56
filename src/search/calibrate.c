// SPDX-License-Identifier: MIT
#include "search/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "util/fail.h"

void calibrate_init(struct calibrate *c) {
    static const double steps[] = {1, 2, 5};
    double low = -INFINITY;
    for (int i = 0; i < CALIBRATE_RANGES; i++) {
        double high = steps[i % 3] * pow(10, i / 3);
        if (i == CALIBRATE_RANGES - 1) high = INFINITY;
        c->range[i] = (struct calibrate_range){.low = low, .high = high};
        low = high;
    }
}

int calibrate_add(struct calibrate *c, const struct evaluator *e, const struct episode_reader *r,
                  const struct episode *episode) {
    struct board *after = fail_alloc(episode->steps, sizeof *after);
    uint32_t *reward = fail_alloc(episode->steps, sizeof *reward);
    int status = after && reward ? episode_trace(r, episode, after, reward) : -1;
    double later = 0; // scored after this afterstate
    for (size_t t = episode->steps; status == 0 && !episode->cut && t-- > 0;) {
        double value;
        struct calibrate_range *range = c->range;
        if ((status = evaluator_value(e, after[t], &value))) break;
        while (value >= range->high) range++;
        range->n++;
        range->value += value;
        range->score += later;
        range->square += (value - later) * (value - later);
        later += reward[t];
    }
    free(after);
    free(reward);
    return status;
}
