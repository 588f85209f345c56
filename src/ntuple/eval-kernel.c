// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
#include "ntuple/eval.h"
#include "ntuple/lookup.h"
#include "util/cpu.h"

static float value(const struct layout *l, const uint16_t *v, struct board after) {
    _Alignas(32) uint32_t index[MOST_FEATURES];
    unsigned stage = lookup_all(l, after, index);
    return l->scale * lookup_sum(l, v, index, stage);
}

// Finds the weights of an afterstate and asks for them. Returns its stage.
static inline unsigned ask(const struct layout *l, const uint16_t *v, struct board after,
                           uint32_t *index) {
    unsigned blocks = l->blocks, stage = lookup_all(l, after, index);
    for (unsigned i = 0; i < blocks; i++)
        if (!l->block[i].follows) LOOKUP_PREFETCH_EIGHT(v, index + BLOCK * i, 0);
    return stage;
}

// While some afterstates wait for their weights, those before them are summed.
enum { AHEAD = 8 };

static void values(const struct layout *l, const uint16_t *v, const struct board *after, unsigned n,
                   double *to) {
    _Alignas(32) uint32_t ring[AHEAD * MOST_FEATURES];
    unsigned stage[AHEAD], size = l->blocks * BLOCK; // close together, to stay in the cache
    for (unsigned i = 0; i < n + AHEAD; i++) {
        uint32_t *index = ring + i % AHEAD * size;
        if (i >= AHEAD) to[i - AHEAD] = (double)(l->scale * lookup_sum(l, v, index, stage[i % AHEAD]));
        if (i < n) stage[i % AHEAD] = ask(l, v, after[i], index);
    }
}

// Weights come from far, so several games are played in turn: while one waits
// for the weights of its afterstates, the others are served.
enum { LANES = 4 };

struct lane {
    struct game *game;
    struct board after[4];
    uint32_t reward[4];
    unsigned legal;
    unsigned stage[4];
    uint32_t *index; // of the weights of each afterstate
};

static inline uint32_t *index_of(const struct layout *l, const struct lane *lane, unsigned m) {
    return lane->index + m * l->blocks * BLOCK;
}

// Finds the afterstates of the game's state and asks for their weights.
// Returns whether the game goes on.
static inline int look(const struct layout *l, const uint16_t *v, struct lane *lane) {
    lane->legal = k_slide_all(&l->shape, lane->game->board, lane->after, lane->reward);
    if (!(lane->legal & (lane->legal - 1))) return lane->legal && lane->game->steps < MOST_STEPS;
    for (unsigned m = 0; m < 4; m++) {
        if (!(lane->legal >> m & 1)) continue;
        lane->stage[m] = ask(l, v, lane->after[m], index_of(l, lane, m));
    }
    return lane->game->steps < MOST_STEPS;
}

static inline float worth(const struct layout *l, const uint16_t *v, const struct lane *lane, unsigned m) {
    return l->scale * lookup_sum(l, v, index_of(l, lane, m), lane->stage[m]);
}

// Makes the best move.
static inline void decide(const struct layout *l, const uint16_t *v, uint64_t p4, struct lane *lane) {
    struct game *g = lane->game;
    unsigned best = (unsigned)__builtin_ctz(lane->legal), rest = lane->legal & (lane->legal - 1);
    if (k_stray(&g->rng, g->epsilon, lane->legal, &best)) rest = 0;
    if (rest) {
        float most = (float)lane->reward[best] + worth(l, v, lane, best);
        for (; rest; rest &= rest - 1) {
            unsigned m = (unsigned)__builtin_ctz(rest);
            float x = (float)lane->reward[m] + worth(l, v, lane, m);
            best = x > most ? m : best;
            most = x > most ? x : most;
        }
    }
    g->board = lane->after[best];
    g->step[g->steps++] = (uint8_t)(best | k_spawn(&l->shape, &g->board, rng_next(&g->rng), p4));
}

static void greedy(const struct layout *l, const uint16_t *v, uint64_t p4, struct game *game,
                   unsigned n) {
    struct lane lane[LANES];
    // Close together for small networks too: at equal distances of a large
    // power of two they would crowd each other out of the first cache.
    _Alignas(64) uint32_t room[LANES * 4 * MOST_FEATURES];
    unsigned busy = 0;
    for (unsigned i = 0; i < LANES; i++) lane[i].index = room + i * 4 * l->blocks * BLOCK;
    for (struct game *next = game, *end = game + n; next < end || busy;) {
        for (; busy < LANES && next < end; next++) {
            lane[busy].game = next;
            busy += (unsigned)look(l, v, &lane[busy]);
        }
        for (unsigned i = 0; i < busy; i++) {
            decide(l, v, p4, &lane[i]);
            if (look(l, v, &lane[i])) continue;
            // Over: the next game takes its place, or the last lane does.
            int more = 0;
            for (; !more && next < end; next++) {
                lane[i].game = next;
                more = look(l, v, &lane[i]);
            }
            if (!more && i < --busy) {
                lane[i].game = lane[busy].game;
                look(l, v, &lane[i]);
                i--;
            }
        }
    }
}

const struct ntuple_kernel CPU_NAME(ntuple_kernel) = {value, values, greedy};
