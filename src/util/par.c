// SPDX-License-Identifier: MIT
#include "util/par.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

// Starts n threads on run(argument i); returns how many could be started.
static unsigned start(pthread_t *threads, unsigned n, void *(*run)(void *), char *arguments,
                      size_t size) {
    unsigned i = 0;
    while (i < n && pthread_create(&threads[i], NULL, run, arguments + i * size) == 0) i++;
    return i;
}

struct line {
    const struct par_line *spec;
    uint64_t slots;
    pthread_mutex_t lock;
    pthread_cond_t room;
    uint64_t next;  // the next item to make
    uint64_t taken; // items below this have been taken
    int taking;     // a thread is taking items
    int stop;       // 1 stopped, -1 failed
    signed char *made; // a slot: 1 holds an item that is not taken, -1 one that failed
    uint64_t failed;   // the first item in order that could not be made, and why
    char reason[1024];
};

static void line_reason(struct line *l, uint64_t item) {
    l->failed = item;
    strncpy(l->reason, fail_text(), sizeof l->reason - 1);
}

// Takes what is ready, in order. Whoever made the next item does it, so that
// no thread is woken for it; called and left with the lock held.
static void line_take(struct line *l) {
    if (l->taking) return;
    l->taking = 1;
    for (int made; !l->stop && (made = l->made[l->taken % l->slots]);) {
        uint64_t i = l->taken;
        if (made < 0)
            // Only here, in order: which failure ends the line, and whether one
            // does that lies behind the end, must not depend on the threads.
            l->stop = -1;
        else {
            pthread_mutex_unlock(&l->lock);
            int status = l->spec->take(l->spec->context, i, l->spec->slots[i % l->slots]);
            pthread_mutex_lock(&l->lock);
            if (status < 0) line_reason(l, i);
            l->stop = status;
            l->made[i % l->slots] = 0;
            l->taken++;
        }
        pthread_cond_broadcast(&l->room);
    }
    l->taking = 0;
}

static void *line_worker(void *argument) {
    struct line *l = *(struct line **)argument;
    pthread_mutex_lock(&l->lock);
    for (;;) {
        while (!l->stop && l->next < l->spec->items && l->next >= l->taken + l->slots)
            pthread_cond_wait(&l->room, &l->lock);
        if (l->stop || l->next >= l->spec->items) break;
        uint64_t i = l->next++;
        pthread_mutex_unlock(&l->lock);
        int status = l->spec->make(l->spec->context, i, l->spec->slots[i % l->slots]);
        pthread_mutex_lock(&l->lock);
        if (status && i < l->failed) line_reason(l, i);
        l->made[i % l->slots] = status ? -1 : 1;
        line_take(l);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static int alone(const struct par_line *spec) {
    int status = 0;
    for (uint64_t i = 0; status == 0 && i < spec->items; i++) {
        status = spec->make(spec->context, i, spec->slots[0]);
        if (status == 0) status = spec->take(spec->context, i, spec->slots[0]);
    }
    return status;
}

int par_in_order(const struct par_line *spec) {
    if (spec->threads <= 1) return alone(spec) < 0 ? -1 : 0;
    struct line l = {.spec = spec, .slots = (uint64_t)PAR_SLOTS * spec->threads,
                     .failed = UINT64_MAX};
    struct line *self = &l;
    pthread_t *others = fail_alloc(spec->threads, sizeof *others);
    l.made = calloc(l.slots, 1);
    if (!others || !l.made) {
        free(others);
        free(l.made);
        return fail("out of memory");
    }
    pthread_mutex_init(&l.lock, NULL);
    pthread_cond_init(&l.room, NULL);
    unsigned n = start(others, spec->threads - 1, line_worker, (char *)&self, 0);
    line_worker(&self);
    for (unsigned i = 0; i < n; i++) pthread_join(others[i], NULL);
    pthread_cond_destroy(&l.room);
    pthread_mutex_destroy(&l.lock);
    free(others);
    free(l.made);
    return l.stop < 0 ? fail("%s", l.reason) : 0;
}

struct range {
    int (*work)(void *, unsigned, uint64_t);
    void *context;
    uint64_t n;
    atomic_uint_fast64_t next;
    atomic_int failed;
    char reason[1024];
};

struct range_worker {
    struct range *range;
    unsigned number;
};

static void *range_run(void *argument) {
    const struct range_worker *w = argument;
    struct range *r = w->range;
    while (!atomic_load(&r->failed)) {
        uint64_t i = atomic_fetch_add(&r->next, 1);
        if (i >= r->n) break;
        int before = 0;
        if (r->work(r->context, w->number, i) &&
            atomic_compare_exchange_strong(&r->failed, &before, 1))
            strncpy(r->reason, fail_text(), sizeof r->reason - 1);
    }
    return NULL;
}

int par_for(unsigned threads, uint64_t n, int (*work)(void *, unsigned, uint64_t), void *context) {
    if (threads > n) threads = (unsigned)n;
    if (threads == 0) return 0;
    struct range r = {.work = work, .context = context, .n = n};
    pthread_t *others = fail_alloc(threads, sizeof *others);
    struct range_worker *workers = fail_alloc(threads, sizeof *workers);
    if (!others || !workers) {
        free(others);
        free(workers);
        return -1;
    }
    for (unsigned i = 0; i < threads; i++) workers[i] = (struct range_worker){&r, i};
    // The caller is worker 0, so fewer threads than asked for still finish.
    unsigned n_others = start(others, threads - 1, range_run, (char *)(workers + 1), sizeof *workers);
    range_run(workers);
    for (unsigned i = 0; i < n_others; i++) pthread_join(others[i], NULL);
    free(others);
    free(workers);
    return atomic_load(&r.failed) ? fail("%s", r.reason) : 0;
}
