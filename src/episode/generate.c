// SPDX-License-Identifier: MIT
#include "episode/generate.h"

#include <stdlib.h>

#include "util/fail.h"
#include "util/par.h"

static size_t play_randomly(const struct player *self, const struct shape *shape, struct rng *rng,
                            uint64_t p4, struct board *b, uint8_t *steps) {
    (void)self;
    return shape->kernel->random(shape, rng, p4, b, steps);
}

const struct player player_random = {play_randomly, 64, NULL};

// The games that one thread plays at a time.
struct batch {
    unsigned n;
    struct {
        struct board start;
        size_t at, steps;
        int cut;
    } *game;
    uint8_t *step;
    size_t used, capacity;
};

struct run {
    const struct generate *spec;
    const struct episode_header *header;
    struct episode_writer *writer;
    uint64_t p4;
    uint64_t *episodes, *moves;
};

// Room for one more game of any length.
static int make_room(struct batch *b) {
    if (b->capacity - b->used >= MOST_STEPS) return 0;
    size_t capacity = b->capacity + 4 * (size_t)MOST_STEPS;
    uint8_t *wider = realloc(b->step, capacity);
    if (!wider) return fail("out of memory for episodes");
    b->step = wider;
    b->capacity = capacity;
    return 0;
}

static int play_batch(void *context, uint64_t i, void *slot) {
    const struct run *run = context;
    const struct player *player = run->spec->player;
    const struct shape *shape = &run->header->shape;
    struct batch *b = slot;
    b->n = 0;
    b->used = 0;
    for (uint64_t k = i * player->batch; k < (i + 1) * player->batch && k < run->spec->episodes;
         k++) {
        if (make_room(b)) return -1;
        struct rng rng = rng_stream(run->header->seed, k);
        struct board state = play_start(shape, &rng, run->p4);
        b->game[b->n].start = state;
        b->game[b->n].at = b->used;
        size_t n = player->play(player, shape, &rng, run->p4, &state, b->step + b->used);
        b->game[b->n].steps = n;
        b->game[b->n].cut = board_legal(shape, state) != 0;
        b->used += n;
        b->n++;
    }
    return 0;
}

static int write_batch(void *context, uint64_t i, void *slot) {
    const struct run *run = context;
    const struct batch *b = slot;
    (void)i;
    for (unsigned k = 0; k < b->n; k++) {
        if (*run->moves >= run->spec->moves) return 1;
        struct episode e = {b->game[k].start, START_NORMAL, b->game[k].cut,
                            (uint32_t)b->game[k].steps, b->step + b->game[k].at, 0};
        if (episode_write(run->writer, &e)) return -1;
        *run->episodes += 1;
        *run->moves += e.steps;
    }
    if (run->spec->tell) run->spec->tell(run->spec->context, *run->episodes, *run->moves);
    return *run->moves >= run->spec->moves;
}

int episode_generate(const struct generate *g, const struct episode_header *header,
                     struct episode_writer *w, uint64_t *episodes, uint64_t *moves) {
    struct run run = {g, header, w, play_p4(header->p4), episodes, moves};
    unsigned slots = PAR_SLOTS * (g->threads ? g->threads : 1), batch = g->player->batch;
    struct batch *batches = calloc(slots, sizeof *batches);
    void **slot = calloc(slots, sizeof *slot);
    int status = batches && slot ? 0 : fail("out of memory");
    for (unsigned i = 0; status == 0 && i < slots; i++) {
        slot[i] = &batches[i];
        batches[i].game = fail_alloc(batch, sizeof *batches[i].game);
        if (!batches[i].game) status = -1;
    }
    uint64_t items = g->episodes / batch + (g->episodes % batch != 0);
    struct par_line line = {g->threads, items, slot, &run, play_batch, write_batch};
    if (status == 0) status = par_in_order(&line);
    for (unsigned i = 0; batches && i < slots; i++) {
        free(batches[i].game);
        free(batches[i].step);
    }
    free(batches);
    free(slot);
    return status;
}
