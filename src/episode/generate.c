// SPDX-License-Identifier: MIT
#include "episode/generate.h"

#include <stdlib.h>

#include "util/fail.h"
#include "util/par.h"

static int play_randomly(const struct player *self, const struct shape *shape, uint64_t p4,
                         struct game *game, unsigned n) {
    (void)self;
    // One behind the other: games are short, and this keeps them in the cache.
    for (unsigned i = 0; i < n; i++) {
        if (i) game[i].step = game[i - 1].step + game[i - 1].steps;
        game[i].steps = shape->kernel->random(shape, &game[i].rng, p4, &game[i].board, game[i].step);
    }
    return 0;
}

const struct player player_random = {play_randomly, 64, NULL};

// The games that one thread plays at a time.
struct batch {
    unsigned n;
    int begun; // 0: there was no time for it
    struct game *game;
    struct board *start;
    uint8_t *step; // MOST_STEPS a game; what is not used is never touched
};

struct run {
    const struct generate *spec;
    const struct episode_header *header;
    struct episode_writer *writer;
    uint64_t p4;
    unsigned size; // games in a batch
    uint64_t *episodes, *moves;
};

static int stopped(const struct run *run) { return run->spec->stopped && run->spec->stopped(run->spec->context); }

static int play_batch(void *context, uint64_t i, void *slot) {
    const struct run *run = context;
    const struct player *player = run->spec->player;
    const struct shape *shape = &run->header->shape;
    struct batch *b = slot;
    b->n = 0;
    if (!(b->begun = !stopped(run))) return 0;
    for (uint64_t k = i * run->size; k < (i + 1) * run->size && k < run->spec->episodes; k++) {
        struct game *g = &b->game[b->n];
        g->rng = rng_stream(run->header->seed, k);
        g->board = b->start[b->n] = run->spec->from ? *run->spec->from : play_start(shape, &g->rng, run->p4);
        g->step = b->step + (size_t)b->n * MOST_STEPS;
        g->steps = 0;
        b->n++;
    }
    return player->play(player, shape, run->p4, b->game, b->n);
}

static int write_batch(void *context, uint64_t i, void *slot) {
    const struct run *run = context;
    const struct batch *b = slot;
    const enum episode_start how = run->spec->from ? START_GIVEN : START_NORMAL;
    (void)i;
    if (!b->begun) return 1; // nor was any that follows
    for (unsigned k = 0; k < b->n; k++) {
        const struct game *g = &b->game[k];
        if (*run->moves >= run->spec->moves) return 1;
        int cut = board_legal(&run->header->shape, g->board) != 0;
        if (cut && stopped(run)) continue;
        struct episode e = {b->start[k], how, cut, (uint32_t)g->steps, g->step, 0};
        if (episode_write(run->writer, &e)) return -1;
        *run->episodes += 1;
        *run->moves += e.steps;
    }
    if (run->spec->tell && run->spec->tell(run->spec->context, *run->episodes, *run->moves)) return -1;
    return *run->moves >= run->spec->moves;
}

static int batch_init(struct batch *b, unsigned size) {
    b->game = fail_alloc(size, sizeof *b->game);
    b->start = fail_alloc(size, sizeof *b->start);
    b->step = fail_alloc(size, MOST_STEPS);
    return b->game && b->start && b->step ? 0 : -1;
}

static void batch_free(struct batch *b) {
    free(b->game);
    free(b->start);
    free(b->step);
}

static int play_all(struct run *run) {
    const struct generate *g = run->spec;
    unsigned size = run->size, slots = PAR_SLOTS * (g->threads ? g->threads : 1);
    struct batch *batches = calloc(slots, sizeof *batches);
    void **slot = calloc(slots, sizeof *slot);
    int status = batches && slot ? 0 : fail("out of memory");
    for (unsigned i = 0; status == 0 && i < slots; i++) {
        slot[i] = &batches[i];
        status = batch_init(&batches[i], size);
    }
    uint64_t items = g->episodes / size + (g->episodes % size != 0);
    struct par_line line = {g->threads, items, slot, run, play_batch, write_batch};
    if (status == 0) status = par_in_order(&line);
    for (unsigned i = 0; batches && i < slots; i++) batch_free(&batches[i]);
    free(batches);
    free(slot);
    return status;
}

int episode_generate(const struct generate *g, const struct episode_header *header, struct out *out,
                     uint64_t *episodes, uint64_t *moves) {
    struct episode_writer *w = episode_create(out, header);
    unsigned size = g->batch ? g->batch : g->player->batch;
    struct run run = {g, header, w, play_p4(header->p4), size, episodes, moves};
    *episodes = *moves = 0;
    if (!w) return -1;
    if (play_all(&run) == 0) return episode_finish(w);
    episode_abandon(w);
    return -1;
}
