// SPDX-License-Identifier: MIT
#include "episode/consume.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"
#include "util/par.h"

struct run {
    struct episode_reader *reader;
    const struct consume *spec;
    pthread_mutex_t reading;  // the reader
    pthread_mutex_t counting; // the counts
    pthread_rwlock_t use;     // shared while using, alone while at rest
    uint64_t moves, next;     // next: when to rest
    int stop;                 // under reading: a thread failed
};

// A thread's copy of one episode and its trace.
struct desk {
    uint8_t *step;
    struct board *after;
    uint32_t *reward;
    size_t capacity;
};

static int make_room(struct desk *d, size_t steps) {
    if (steps <= d->capacity) return 0;
    size_t n = steps * 2;
    free(d->step);
    free(d->after);
    free(d->reward);
    d->step = fail_alloc(n, sizeof *d->step);
    d->after = fail_alloc(n, sizeof *d->after);
    d->reward = fail_alloc(n, sizeof *d->reward);
    d->capacity = d->step && d->after && d->reward ? n : 0;
    return d->capacity ? 0 : -1;
}

// The next episode, copied so that others can read on. 1, 0 at the end, -1.
static int take(struct run *run, struct desk *d, struct episode *e) {
    pthread_mutex_lock(&run->reading);
    int got = run->stop ? 0 : episode_read(run->reader, e);
    if (got > 0 && make_room(d, e->steps)) got = -1;
    if (got > 0) {
        memcpy(d->step, e->step, e->steps);
        e->step = d->step;
    }
    if (got < 0) run->stop = 1;
    pthread_mutex_unlock(&run->reading);
    return got;
}

static int work(struct run *run, unsigned thread, struct desk *d, const struct episode *e) {
    const struct consume *c = run->spec;
    if (episode_trace(run->reader, e, d->after, d->reward)) return -1;
    struct trace t = {d->after, d->reward, e->steps, e->cut, 0};
    for (uint32_t i = 0; i < e->steps; i++) t.score += d->reward[i];
    pthread_rwlock_rdlock(&run->use);
    int status = c->use(c->context, thread, &t);
    pthread_rwlock_unlock(&run->use);
    if (status) return -1;
    pthread_mutex_lock(&run->counting);
    run->moves += e->steps;
    int rest = c->every && run->moves >= run->next;
    if (rest) run->next = run->moves - run->moves % c->every + c->every;
    status = c->count(c->context, thread, &t);
    pthread_mutex_unlock(&run->counting);
    if (status || !rest) return status;
    pthread_rwlock_wrlock(&run->use);
    status = c->rest(c->context);
    pthread_rwlock_unlock(&run->use);
    return status;
}

static int serve(void *context, unsigned worker, uint64_t i) {
    struct run *run = context;
    struct desk desk = {0};
    struct episode e;
    int got;
    (void)worker;
    while ((got = take(run, &desk, &e)) > 0)
        if (work(run, (unsigned)i, &desk, &e)) {
            got = -1;
            break;
        }
    if (got < 0) {
        pthread_mutex_lock(&run->reading);
        run->stop = 1;
        pthread_mutex_unlock(&run->reading);
    }
    free(desk.step);
    free(desk.after);
    free(desk.reward);
    return got;
}

int episode_consume(struct episode_reader *r, const struct consume *c) {
    struct run run = {.reader = r, .spec = c, .next = c->every};
    pthread_mutex_init(&run.reading, NULL);
    pthread_mutex_init(&run.counting, NULL);
    pthread_rwlock_init(&run.use, NULL);
    int status = par_for(c->threads, c->threads, serve, &run);
    pthread_rwlock_destroy(&run.use);
    pthread_mutex_destroy(&run.counting);
    pthread_mutex_destroy(&run.reading);
    return status;
}
