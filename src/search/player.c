// SPDX-License-Identifier: MIT
#include "search/player.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "game/kernel.h"
#include "util/fail.h"

// Milliseconds in classes of 2^(1/64), about a hundredth apart, from 2^-15 on.
enum { CLASSES = 64 * 40, FIRST_OCTAVE = -15 };

struct seat {
    struct search *search;
    int taken;
    struct search_player_sums sums;
    uint64_t took[CLASSES];
};

struct search_player {
    struct search_player_spec spec;
    struct player player;
    pthread_mutex_t lock;    // of who sits where
    pthread_mutex_t telling;
    _Atomic uint64_t moves;
    struct seat *seat;
};

static struct seat *sit_down(struct search_player *p) {
    struct seat *seat = p->seat;
    pthread_mutex_lock(&p->lock);
    while (seat->taken) seat++; // there are as many as threads
    seat->taken = 1;
    pthread_mutex_unlock(&p->lock);
    return seat;
}

static void stand_up(struct search_player *p, struct seat *seat) {
    pthread_mutex_lock(&p->lock);
    seat->taken = 0;
    pthread_mutex_unlock(&p->lock);
}

static void note(struct seat *seat, const struct search_answer *a) {
    double octave = a->milliseconds > 0 ? log2(a->milliseconds) - FIRST_OCTAVE : 0;
    seat->took[(unsigned)fmin(fmax(0, 64 * octave), CLASSES - 1)]++;
    seat->sums.moves++;
    seat->sums.nodes += a->nodes;
    seat->sums.plies += a->plies;
    seat->sums.milliseconds += a->milliseconds;
    seat->sums.most = fmax(seat->sums.most, a->milliseconds);
}

static void tell(struct search_player *p) {
    uint64_t moves = atomic_fetch_add_explicit(&p->moves, 1, memory_order_relaxed) + 1;
    if (!p->spec.tell || pthread_mutex_trylock(&p->telling)) return;
    p->spec.tell(p->spec.context, moves);
    pthread_mutex_unlock(&p->telling);
}

// The move; -1 on failure. A single one needs no search.
static int decide(struct seat *seat, int timed, unsigned legal, struct board b) {
    struct search_answer answer;
    if (!(legal & (legal - 1))) return __builtin_ctz(legal);
    if (timed) search_rest(seat->search);
    if (search_state(seat->search, b, &answer)) return -1;
    note(seat, &answer);
    return (int)answer.best;
}

static int play_one(struct search_player *p, struct seat *seat, const struct shape *s, uint64_t p4,
                    struct game *g) {
    for (unsigned legal; (legal = board_legal(s, g->board)) && g->steps < MOST_STEPS;) {
        if (p->spec.stopped && p->spec.stopped(p->spec.context)) break;
        int move = decide(seat, p->spec.search.milliseconds > 0, legal, g->board);
        if (move < 0) return -1;
        board_slide(s, g->board, (enum move)move, &g->board);
        g->step[g->steps++] = (uint8_t)((unsigned)move | k_spawn(s, &g->board, rng_next(&g->rng), p4));
        tell(p);
    }
    return 0;
}

static int play(const struct player *self, const struct shape *shape, uint64_t p4, struct game *game,
                unsigned n) {
    struct search_player *p = self->context;
    struct seat *seat = sit_down(p);
    int status = 0;
    for (unsigned i = 0; i < n && status == 0; i++) status = play_one(p, seat, shape, p4, &game[i]);
    stand_up(p, seat);
    return status;
}

struct search_player *search_player_new(const struct search_player_spec *spec) {
    struct search_player *p = calloc(1, sizeof *p);
    if (!p) return fail("out of memory"), NULL;
    p->spec = *spec;
    p->player = (struct player){play, 1, p};
    pthread_mutex_init(&p->lock, NULL);
    pthread_mutex_init(&p->telling, NULL);
    p->seat = calloc(spec->games, sizeof *p->seat);
    int status = p->seat ? table_fits(spec->search.table) : fail("out of memory");
    p->spec.search.table /= spec->games;
    for (unsigned i = 0; i < spec->games && status == 0; i++)
        if (!(p->seat[i].search = search_new(&p->spec.search))) status = -1;
    if (status == 0) return p;
    search_player_free(p);
    return NULL;
}

void search_player_free(struct search_player *p) {
    if (!p) return;
    for (unsigned i = 0; p->seat && i < p->spec.games; i++) search_free(p->seat[i].search);
    pthread_mutex_destroy(&p->lock);
    pthread_mutex_destroy(&p->telling);
    free(p->seat);
    free(p);
}

const struct player *search_player(const struct search_player *p) { return &p->player; }

// The end of the class that the q-th part of all moves comes to.
static double quantile(const struct search_player *p, uint64_t all, double q) {
    uint64_t n = 0;
    for (unsigned c = 0; c < CLASSES; c++) {
        for (unsigned i = 0; i < p->spec.games; i++) n += p->seat[i].took[c];
        if ((double)n >= q * (double)all) return exp2((c + 1) / 64.0 + FIRST_OCTAVE);
    }
    return INFINITY;
}

struct search_player_sums search_player_sums(const struct search_player *p) {
    struct search_player_sums sums = {0};
    for (unsigned i = 0; i < p->spec.games; i++) {
        const struct search_player_sums *one = &p->seat[i].sums;
        sums.moves += one->moves;
        sums.nodes += one->nodes;
        sums.plies += one->plies;
        sums.milliseconds += one->milliseconds;
        sums.most = fmax(sums.most, one->most);
    }
    sums.p50 = fmin(quantile(p, sums.moves, 0.5), sums.most);
    sums.p99 = fmin(quantile(p, sums.moves, 0.99), sums.most);
    return sums;
}
