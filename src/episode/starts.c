// SPDX-License-Identifier: MIT
#include "episode/starts.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/kernel.h"
#include "util/fail.h"
#include "util/number.h"

// The two tiles of each new game in turn, as exponents; 0 is a 2 or a 4.
enum { KINDS = 5 };
static const uint8_t jumps[][KINDS][2] = {
    [JUMP_S] = {{0, 0}, {11, 0}, {12, 0}, {12, 11}, {13, 0}},
    [JUMP_L] = {{0, 0}, {12, 0}, {13, 0}, {13, 12}, {14, 0}},
};
static const char *const jump_names[] = {[JUMP_S] = "jump-s", [JUMP_L] = "jump-l"};

// Whether the text begins with the word, and if so what follows it.
static const char *behind(const char *text, const char *word) {
    size_t n = strlen(word);
    return strncmp(text, word, n) == 0 ? text + n : NULL;
}

static int parse_restart(const char *text, struct starts_spec *to) {
    uint64_t least = STARTS_SHORT;
    const char *rest = behind(text, "restart");
    if (!rest || (*rest && *rest != ':'))
        return fail("must be normal, restart[:MIN], carousel, jump-s, jump-l, or a jump+restart[:MIN]");
    // From 1 on every restart is later than the one before it, so lines come to an end.
    if (*rest && number_u64(rest + 1, 1, MOST_STEPS, &least))
        return fail("the moves of a short play: %s", fail_text());
    to->restart = (uint32_t)least;
    return 0;
}

int starts_parse(const char *text, struct starts_spec *to) {
    to->jump = JUMP_NONE;
    to->restart = 0;
    to->carousel = strcmp(text, "carousel") == 0;
    if (to->carousel || strcmp(text, "normal") == 0) return 0;
    for (int jump = JUMP_S; jump <= JUMP_L; jump++) {
        const char *rest = behind(text, jump_names[jump]);
        if (!rest || (*rest && *rest != '+')) continue;
        to->jump = (enum starts_jump)jump;
        if (!*rest) return 0;
        text = rest + 1;
        break;
    }
    return parse_restart(text, to);
}

const char *starts_text(const struct starts_spec *spec, char to[STARTS_TEXT]) {
    int n = spec->jump ? snprintf(to, STARTS_TEXT, "%s%s", jump_names[spec->jump], spec->restart ? "+" : "") : 0;
    if (spec->restart) snprintf(to + n, STARTS_TEXT - (size_t)n, "restart:%" PRIu32, spec->restart);
    if (!spec->jump && !spec->restart) snprintf(to, STARTS_TEXT, "%s", spec->carousel ? "carousel" : "normal");
    return to;
}

int starts_fit(const struct starts_spec *spec, const struct shape *shape) {
    unsigned most = spec->jump ? jumps[spec->jump][KINDS - 1][0] : 0;
    // n cells come to 2^(n+1) at best: a 4 must fall beside all smaller tiles.
    if (most <= shape->cells + 1) return 0;
    return fail("no game on a %ux%u board comes to %u, which %s starts with", shape->rows, shape->cols,
                1u << most, jump_names[spec->jump]);
}

struct first {
    unsigned stage;
    struct board state;
};

// What the last episode of a line left behind.
struct line {
    int busy;            // it is not over
    int again;           // whether the next one restarts, and with which board
    struct board middle;
    unsigned firsts;     // its first states of stages
    struct first *first; // room for all stages
};

// The last first states of a stage, in a ring.
struct memory {
    struct board state[STARTS_KEPT];
    unsigned n, next;
};

struct starts {
    struct starts_spec spec;
    const struct shape *shape;
    uint64_t p4;
    pthread_mutex_t lock;
    pthread_cond_t change;
    uint64_t turn;   // the next episode to be taken
    struct line *line;
    struct first *first;
    struct memory *memory; // a stage each
    unsigned stage;  // where the carousel stands
};

static int chained(const struct starts *s) { return s->spec.restart || s->spec.carousel; }

struct starts *starts_new(const struct starts_spec *spec, const struct shape *shape, uint64_t p4) {
    struct starts *s = calloc(1, sizeof *s);
    if (!s) return fail("out of memory"), NULL;
    s->spec = *spec;
    s->shape = shape;
    s->p4 = p4;
    if (!s->spec.lines) s->spec.lines = STARTS_LINES;
    if (!s->spec.carousel) s->spec.stages = 0;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->change, NULL);
    size_t lines = s->spec.lines, stages = s->spec.stages;
    if (chained(s)) s->line = calloc(lines, sizeof *s->line);
    if (stages) s->first = calloc(lines * stages, sizeof *s->first);
    if (stages) s->memory = calloc(stages, sizeof *s->memory);
    if ((chained(s) && !s->line) || (stages && (!s->first || !s->memory))) {
        starts_free(s);
        return fail("out of memory for starts in %zu stages", stages), NULL;
    }
    for (size_t i = 0; stages && i < lines; i++) s->line[i].first = s->first + i * stages;
    return s;
}

void starts_free(struct starts *s) {
    if (!s) return;
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->change);
    free(s->line);
    free(s->first);
    free(s->memory);
    free(s);
}

uint64_t starts_lines(const struct starts *s) { return chained(s) ? s->spec.lines : UINT64_MAX; }

static void put_tile(const struct starts *s, struct rng *rng, unsigned exponent, struct board *b) {
    uint64_t x = rng_next(rng), empty = k_empty(s->shape, *b);
    if (!exponent)
        k_spawn(s->shape, b, x, s->p4);
    else
        b->lo |= exponent * k_select(empty, (unsigned)rng_split(&x, k_count(empty)));
}

static enum episode_start begin_anew(const struct starts *s, uint64_t i, struct rng *rng, struct board *start) {
    unsigned kind = s->spec.jump ? (unsigned)(i % KINDS) : 0;
    if (s->spec.from) return *start = *s->spec.from, START_GIVEN;
    if (kind == 0) return *start = play_start(s->shape, rng, s->p4), START_NORMAL;
    const uint8_t *tile = jumps[s->spec.jump][kind];
    *start = (struct board){0, 0};
    put_tile(s, rng, tile[0], start);
    put_tile(s, rng, tile[1], start);
    return START_JUMP;
}

static void remember(struct memory *m, struct board state) {
    m->state[m->next] = state;
    m->next = (m->next + 1) % STARTS_KEPT;
    if (m->n < STARTS_KEPT) m->n++;
}

// One stage on, or from the beginning where no game has come to that one.
static enum episode_start ride(struct starts *s, struct line *line, uint64_t i, struct rng *rng,
                               struct board *start) {
    for (unsigned k = 0; k < line->firsts; k++) remember(&s->memory[line->first[k].stage], line->first[k].state);
    line->firsts = 0;
    unsigned stage = s->stage < s->spec.stages && s->memory[s->stage].n ? s->stage : 0;
    s->stage = stage + 1;
    if (stage == 0) return begin_anew(s, i, rng, start);
    uint64_t x = rng_next(rng);
    *start = s->memory[stage].state[rng_split(&x, s->memory[stage].n)];
    return START_CAROUSEL;
}

enum episode_start starts_take(struct starts *s, uint64_t i, struct rng *rng, struct board *start) {
    if (!chained(s)) return begin_anew(s, i, rng, start);
    struct line *line = &s->line[i % s->spec.lines];
    enum episode_start how = START_RESTART;
    pthread_mutex_lock(&s->lock);
    while (s->turn != i || line->busy) pthread_cond_wait(&s->change, &s->lock);
    if (s->spec.carousel)
        how = ride(s, line, i, rng, start);
    else if (line->again)
        *start = line->middle;
    else
        how = begin_anew(s, i, rng, start);
    line->busy = 1;
    s->turn++;
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
    return how;
}

// A first state is in a higher stage than all before it. No game starts with the
// last state, where no move is legal.
static void find_firsts(const struct starts *s, struct line *line, struct board b, const uint8_t *step,
                        size_t steps) {
    const struct starts_spec *spec = &s->spec;
    unsigned highest = spec->stage(spec->context, b);
    for (size_t i = 0; i + 1 < steps; i++) {
        board_slide(s->shape, b, step_move(step[i]), &b);
        b = board_put(b, step_cell(step[i]), step_exponent(step[i]));
        unsigned stage = spec->stage(spec->context, b);
        if (stage <= highest) continue;
        highest = stage;
        line->first[line->firsts++] = (struct first){stage, b};
    }
}

void starts_leave(struct starts *s, uint64_t i, struct board start, const uint8_t *step, size_t steps) {
    if (!chained(s)) return;
    // Nobody else looks at the line until it is not busy any more.
    struct line *line = &s->line[i % s->spec.lines];
    uint32_t fours = 0;
    if (s->spec.carousel) find_firsts(s, line, start, step, steps);
    line->again = s->spec.restart && steps > s->spec.restart;
    line->middle = start;
    if (line->again) s->shape->kernel->replay(s->shape, &line->middle, step, steps / 2, &fours);
    pthread_mutex_lock(&s->lock);
    line->busy = 0;
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
}
