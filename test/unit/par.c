// SPDX-License-Identifier: MIT
#include "util/par.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"
#include "util/fail.h"

enum { MOST = 8, ITEMS = 500 };

struct line {
    uint64_t taken, stop_at, take_fails_at, make_fails_at;
    atomic_int makers[PAR_SLOTS * MOST]; // threads at work on a slot
    atomic_int takers;
    atomic_uint_fast64_t made;
    unsigned threads;
    uint64_t slot[PAR_SLOTS * MOST];
};

static void dawdle(uint64_t i) {
    for (uint64_t k = 0; k < (i * 2654435761u >> 7) % 8; k++) sched_yield();
}

static int make(void *context, uint64_t i, void *slot) {
    struct line *l = context;
    uint64_t *to = slot;
    CHECK(atomic_fetch_add(&l->makers[to - l->slot], 1) == 0, "two makers on one slot");
    dawdle(i);
    atomic_fetch_add(&l->made, 1);
    *to = i * i + 1;
    atomic_fetch_sub(&l->makers[to - l->slot], 1);
    // All that follow fail too, often sooner; told is the first in order.
    return i >= l->make_fails_at ? fail("item %d: cannot be made", (int)i) : 0;
}

static int take(void *context, uint64_t i, void *slot) {
    struct line *l = context;
    CHECK(atomic_fetch_add(&l->takers, 1) == 0, "two take at a time");
    CHECK(i == l->taken, "%d is taken after %d", (int)i, (int)l->taken);
    CHECK(*(uint64_t *)slot == i * i + 1, "item %d is another", (int)i);
    CHECK(i != l->make_fails_at, "what failed is taken");
    *(uint64_t *)slot = 0;
    l->taken++;
    atomic_fetch_sub(&l->takers, 1);
    if (i == l->take_fails_at) return fail("item %d: cannot be taken", (int)i);
    return i == l->stop_at;
}

static int run(struct line *l, unsigned threads, uint64_t items) {
    void *slots[PAR_SLOTS * MOST];
    for (unsigned i = 0; i < PAR_SLOTS * MOST; i++) slots[i] = &l->slot[i];
    fail("%s", "");
    struct par_line line = {threads, items, slots, l, make, take};
    int status = par_in_order(&line);
    CHECK(atomic_load(&l->made) <= l->taken + PAR_SLOTS * (threads ? threads : 1), "made far ahead");
    return status;
}

#define NEVER UINT64_MAX

static struct line new_line(void) {
    return (struct line){.stop_at = NEVER, .take_fails_at = NEVER, .make_fails_at = NEVER};
}

static void in_order(void) {
    for (unsigned t = 0; t <= MOST; t++)
        for (uint64_t items = 0; items <= ITEMS; items = items ? items * 3 : 1) {
            struct line l = new_line();
            CHECK(run(&l, t, items) == 0 && l.taken == items, "%u threads: %d of %d", t,
                  (int)l.taken, (int)items);
        }
}

static void stop_early(void) {
    for (unsigned t = 1; t <= MOST; t++)
        for (uint64_t at = 0; at < 60; at += 7) {
            struct line l = new_line();
            l.stop_at = at;
            l.make_fails_at = at + 1; // behind the end, so it does not count
            CHECK(run(&l, t, NEVER) == 0 && l.taken == at + 1, "%u threads", t);
        }
}

static void line_failures(void) {
    for (unsigned t = 1; t <= MOST; t++)
        for (uint64_t at = 0; at < 60; at += 7) {
            char expected[64];
            struct line l = new_line();
            l.make_fails_at = at;
            snprintf(expected, sizeof expected, "item %d: cannot be made", (int)at);
            CHECK(run(&l, t, ITEMS) == -1 && l.taken == at, "%u threads: make", t);
            CHECK(strcmp(fail_text(), expected) == 0, "%u threads: '%s'", t, fail_text());
            l = new_line();
            l.take_fails_at = at;
            snprintf(expected, sizeof expected, "item %d: cannot be taken", (int)at);
            CHECK(run(&l, t, ITEMS) == -1 && l.taken == at + 1, "%u threads: take", t);
            CHECK(strcmp(fail_text(), expected) == 0, "%u threads: '%s'", t, fail_text());
        }
}

struct range {
    unsigned threads;
    uint64_t fails_at;
    atomic_int done[ITEMS], busy[MOST];
    atomic_uint_fast64_t begun;
};

static int work(void *context, unsigned worker, uint64_t i) {
    struct range *r = context;
    CHECK(worker < r->threads, "worker %u of %u", worker, r->threads);
    CHECK(atomic_fetch_add(&r->busy[worker], 1) == 0, "two threads are worker %u", worker);
    atomic_fetch_add(&r->begun, 1);
    CHECK(atomic_fetch_add(&r->done[i], 1) == 0, "%d is done twice", (int)i);
    dawdle(i);
    atomic_fetch_sub(&r->busy[worker], 1);
    return i == r->fails_at ? fail("part %d: broken", (int)i) : 0;
}

static void for_all(void) {
    static struct range r;
    for (unsigned t = 1; t <= MOST; t++)
        for (uint64_t n = 0; n <= ITEMS; n = n ? n * 3 : 1) {
            memset(&r, 0, sizeof r);
            r.threads = t;
            r.fails_at = NEVER;
            CHECK(par_for(t, n, work, &r) == 0 && atomic_load(&r.begun) == n, "%u threads", t);
            for (uint64_t i = 0; i < n; i++) CHECK(atomic_load(&r.done[i]) == 1, "%d is left", (int)i);
        }
}

static void for_failures(void) {
    static struct range r;
    for (unsigned t = 1; t <= MOST; t++)
        for (uint64_t at = 0; at < 60; at += 7) {
            char expected[64];
            memset(&r, 0, sizeof r);
            r.threads = t;
            r.fails_at = at;
            snprintf(expected, sizeof expected, "part %d: broken", (int)at);
            fail("%s", "");
            CHECK(par_for(t, ITEMS, work, &r) == -1, "%u threads", t);
            CHECK(strcmp(fail_text(), expected) == 0, "%u threads: '%s'", t, fail_text());
            CHECK(t > 1 || atomic_load(&r.begun) == at + 1, "goes on after a failure");
        }
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {
        {"in-order", in_order}, {"stop-early", stop_early},     {"line-failures", line_failures},
        {"for-all", for_all},   {"for-failures", for_failures}, {0}};
    return check_main(cases, argc, argv);
}
