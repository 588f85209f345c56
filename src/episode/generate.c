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
    enum episode_start *how;
    uint8_t *step; // MOST_STEPS a game; what is not used is never touched
};

struct run {
    const struct generate *spec;
    const struct episode_header *header;
    struct episode_writer *writer;
    struct starts *starts;
    uint64_t p4, epsilon;
    unsigned size; // games in a batch
    uint64_t *episodes, *moves;
};

static int stopped(const struct run *run) { return run->spec->stopped && run->spec->stopped(run->spec->context); }

static int play_batch(void *context, uint64_t i, void *slot) {
    const struct run *run = context;
    const struct player *player = run->spec->player;
    const struct shape *shape = &run->header->shape;
    struct batch *b = slot;
    uint64_t first = i * run->size;
    b->n = 0;
    b->begun = !stopped(run);
    for (uint64_t k = first; k < first + run->size && k < run->spec->episodes; k++) {
        struct game *g = &b->game[b->n];
        g->rng = rng_stream(run->header->seed, k);
        b->how[b->n] = starts_take(run->starts, k, &g->rng, &g->board);
        b->start[b->n] = g->board;
        g->step = b->step + (size_t)b->n * MOST_STEPS;
        g->steps = 0;
        g->epsilon = run->epsilon;
        b->n++;
    }
    int status = b->begun ? player->play(player, shape, run->p4, b->game, b->n) : 0;
    // In any case, or others would wait for it.
    for (unsigned k = 0; k < b->n; k++)
        starts_leave(run->starts, first + k, b->start[k], b->game[k].step, b->game[k].steps);
    return status;
}

static int write_batch(void *context, uint64_t i, void *slot) {
    const struct run *run = context;
    const struct batch *b = slot;
    (void)i;
    if (!b->begun) return 1; // nor was any that follows
    for (unsigned k = 0; k < b->n; k++) {
        const struct game *g = &b->game[k];
        if (*run->moves >= run->spec->moves) return 1;
        int cut = board_legal(&run->header->shape, g->board) != 0;
        if (cut && stopped(run)) continue;
        struct episode e = {b->start[k], b->how[k], cut, (uint32_t)g->steps, g->step, 0};
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
    b->how = fail_alloc(size, sizeof *b->how);
    b->step = fail_alloc(size, MOST_STEPS);
    return b->game && b->start && b->how && b->step ? 0 : -1;
}

static void batch_free(struct batch *b) {
    free(b->game);
    free(b->start);
    free(b->how);
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

// Games that a thread plays at a time. Where starts depend on earlier games, all
// threads should find enough that have ended.
static unsigned batch_size(const struct generate *g, const struct starts *starts) {
    uint64_t size = g->batch ? g->batch : g->player->batch, threads = g->threads ? g->threads : 1;
    while (size > 1 && size > starts_lines(starts) / (4 * threads)) size /= 2;
    return (unsigned)size;
}

int episode_generate(const struct generate *g, const struct episode_header *header, struct out *out,
                     uint64_t *episodes, uint64_t *moves) {
    uint64_t p4 = play_p4(header->p4);
    struct starts *starts = starts_new(&g->starts, &header->shape, p4);
    struct episode_writer *w = starts ? episode_create(out, header) : NULL;
    *episodes = *moves = 0;
    int status = -1;
    if (w) {
        struct run run = {g, header, w, starts, p4, play_p4(g->epsilon), batch_size(g, starts), episodes, moves};
        status = play_all(&run);
        if (status == 0)
            status = episode_finish(w);
        else
            episode_abandon(w);
    }
    starts_free(starts);
    return status;
}
