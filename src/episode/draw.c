// SPDX-License-Identifier: MIT
#include "episode/draw.h"

#include <stdio.h>

// Background in the 256-colour palette by exponent: from pale to warm, then
// through greens and blues, so that neighbours in value differ at a glance.
static const unsigned char background[] = {238, 255, 230, 223, 216, 209, 203, 228, 221,
                                           214, 208, 202, 118, 41,  37,  33,  63,  129};

static int draw_tile(struct out *out, unsigned e, int colour) {
    enum { PALETTE = sizeof background };
    char tile[16] = ".";
    if (e) snprintf(tile, sizeof tile, "%lu", 1ul << e);
    if (!colour) return out_printf(out, "%7s", tile);
    unsigned back = background[e < PALETTE ? e : PALETTE - 1];
    return out_printf(out, "\033[48;5;%u;38;5;%um%6s \033[0m", back, e ? 16 : 246, tile);
}

int draw_board(struct out *out, const struct shape *s, struct board b, int colour) {
    int bad = 0;
    for (unsigned i = 0; i < s->cells && !bad; i++) {
        bad = draw_tile(out, board_cell(b, i), colour);
        if (!bad && (i + 1) % s->cols == 0) bad = out_write(out, "\n", 1);
    }
    return bad;
}
