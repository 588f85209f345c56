// SPDX-License-Identifier: MIT
// The learning rules against a direct transcription of the pseudocode of
// Jaskowski 2016 (Algorithms 1 to 4) and of the lambda return from the end of
// an episode, and of n-step returns, on the naive network of naive.h and in double precision.
#include "naive.h"
#include "ntuple/half.h"
#include "ntuple/learn.h"
#include "reference.h"

int learn_episode_plain(struct learner *, const struct learn_episode *, struct learn_error *);
#ifdef WITH_V3
int learn_episode_v3(struct learner *, const struct learn_episode *, struct learn_error *);
#endif

// An episode as the paper counts it: afterstates 1 to n.
struct lesson {
    struct naive *net;
    const struct learn_rule *rule;
    const struct board *after;
    const uint32_t *reward;
    size_t n;
    double *delta;
    double error;
    double rate;
    int coherence;
};

static struct board state(const struct lesson *x, size_t t) { return x->after[t - 1]; }
static double v(const struct lesson *x, size_t t) { return naive_value(x->net, state(x, t)); }

static struct naive_weight *weight_of(const struct lesson *x, size_t k, unsigned feature) {
    return naive_at(x->net, state(x, k), feature / x->net->images, feature % x->net->images);
}

// Table 1 of Mahmood, Sutton, Degris and Pilarski 2012, for the weights with x > 0; tau
// is what is 1/tau there.
static void change_by_autostep(const struct lesson *x, size_t k, double delta) {
    unsigned m = x->net->each * x->net->images;
    double whole = 0;
    for (unsigned f = 0; f < m; f++) weight_of(x, k, f)->x++;
    for (unsigned f = 0; f < m; f++) {
        struct naive_weight *w = weight_of(x, k, f);
        unsigned first = 0;
        while (weight_of(x, k, first) != w) first++;
        if (first < f) continue;
        if (!(w->alpha > 0)) w->alpha = x->rate / m;
        double dxh = delta * w->x * w->h;
        w->norm = fmax(fabs(dxh), w->norm + x->rule->tau * w->alpha * w->x * w->x * (fabs(dxh) - w->norm));
        if (w->norm > 0) w->alpha *= exp(x->rule->mu * dxh / w->norm);
        whole += w->alpha * w->x * w->x;
    }
    for (unsigned f = 0; f < m; f++) {
        struct naive_weight *w = weight_of(x, k, f);
        if (!(w->x > 0)) continue;
        w->alpha /= fmax(whole, 1);
        w->v += w->alpha * delta * w->x;
        w->h = w->h * fmax(0, 1 - w->alpha * w->x * w->x) + w->alpha * delta * w->x;
        w->x = 0;
    }
}

// Lines 32 and 33 of Algorithm 1, 4 to 8 of Algorithm 2, and all of ACTUALTDUPDATE
// and ACTUALTCUPDATE, where the factor is 1.
static void change(const struct lesson *x, size_t k, double delta, double factor) {
    double m = x->net->each * x->net->images;
    if (x->rule->accumulators == RULE_AUTOSTEP) {
        change_by_autostep(x, k, delta);
        return;
    }
    for (unsigned t = 0; t < x->net->each; t++)
        for (unsigned i = 0; i < x->net->images; i++) {
            struct naive_weight *w = naive_at(x->net, state(x, k), t, i);
            double alpha = 1;
            if (x->coherence) {
                if (w->a != 0) alpha = fabs(w->e) / w->a;
                w->e += delta;
                w->a += fabs(delta);
            }
            w->v += x->rate * alpha / m * delta * factor;
        }
}

// TD(lambda)UPDATE and TC(lambda)UPDATE.
static void update_at_once(const struct lesson *x, size_t t, double delta) {
    size_t h = x->rule->horizon;
    for (size_t k = t; k >= 1 && k + h >= t; k--)
        change(x, k, delta, pow(x->rule->lambda, (double)(t - k)));
}

static void change_by_sum(const struct lesson *x, size_t from, size_t terms) {
    double sum = 0;
    for (size_t k = 0; k <= terms; k++) sum += x->delta[from + k] * pow(x->rule->lambda, (double)k);
    change(x, from, sum, 1);
}

// LEARNFROMEPISODE without the choice of actions. A cut game goes on, so that
// its last afterstate has no error of its own.
static void learn_forwards(struct lesson *x, int cut) {
    size_t h = x->rule->horizon, last = cut ? x->n - 1 : x->n;
    for (size_t t = 1; t <= last; t++) {
        double delta = t < x->n ? x->reward[t] + v(x, t + 1) - v(x, t) : -v(x, t);
        x->error += fabs(delta);
        x->delta[t] = delta;
        if (x->rule->update == UPDATE_STANDARD) update_at_once(x, t, delta);
        if (x->rule->update == UPDATE_DELAYED && t > h) change_by_sum(x, t - h, h);
    }
    // FINALLY, for episodes that may be shorter than the horizon.
    if (x->rule->update == UPDATE_DELAYED)
        for (size_t i = h; i-- > 0;)
            if (last > i) change_by_sum(x, last - i, i);
}

static void learn_backwards(struct lesson *x, int cut) {
    double lambda = x->rule->lambda, target = 0;
    size_t last = x->n;
    if (cut) {
        target = x->reward[x->n - 1] + v(x, x->n);
        last--;
    }
    for (size_t t = last; t >= 1; t--) {
        double delta = target - v(x, t);
        x->error += fabs(delta);
        change(x, t, delta, 1);
        target = x->reward[t - 1] + (1 - lambda) * v(x, t) + lambda * target;
    }
}

// The n-step return of afterstate t.
static double many_steps(const struct lesson *x, size_t t, int cut) {
    size_t to = t + x->rule->steps;
    double sum = 0;
    for (size_t k = t + 1; k <= to && k <= x->n; k++) sum += x->reward[k - 1];
    if (to <= x->n) return sum + v(x, to);
    return cut ? sum + v(x, x->n) : sum;
}

static void change_by_steps(struct lesson *x, size_t t, int cut) {
    double delta = many_steps(x, t, cut) - v(x, t);
    x->error += fabs(delta);
    change(x, t, delta, 1);
}

static void learn_steps(struct lesson *x, int cut) {
    size_t last = cut ? x->n - 1 : x->n, steps = x->rule->steps, next = 1;
    if (x->rule->update == UPDATE_BACKWARD) {
        if (cut) v(x, x->n);
        for (size_t t = last; t >= 1; t--) change_by_steps(x, t, cut);
        return;
    }
    // Weights are promoted when their afterstate is seen.
    for (size_t s = 1; s <= x->n; s++) {
        v(x, s);
        if (s > steps) change_by_steps(x, next++, cut);
    }
    while (next <= last) change_by_steps(x, next++, cut);
}

// Rate and rule of a network that has learned so many moves.
static void look_naively(struct lesson *x, double moves) {
    const struct learn_rule *r = x->rule;
    double over = (double)r->rate_moves, to = (double)r->td_moves;
    x->coherence = r->accumulators == RULE_TC && moves >= to;
    x->rate = r->rate;
    if (over > 0) x->rate = moves > over ? r->last_rate : r->rate * (1 - moves / over) + r->last_rate * moves / over;
    if (to > 0 && moves >= to) x->rate = r->later_rate;
}

static double learn_naively(struct naive *n, const struct learn_rule *rule, const struct learn_episode *e,
                            uint64_t moves) {
    struct lesson x = {.net = n, .rule = rule, .after = e->after, .reward = e->reward, .n = e->n};
    if (e->n == 0) return 0;
    look_naively(&x, (double)moves);
    x.delta = calloc(e->n + 1, sizeof *x.delta);
    CHECK(x.delta, "memory");
    (rule->steps > 1                     ? learn_steps
     : rule->update == UPDATE_BACKWARD ? learn_backwards
                                       : learn_forwards)(&x, e->cut);
    free(x.delta);
    return x.error;
}

// Weights of ours with what the naive network has, in a file of that name.
static void make_weights(struct weights *w, const char *path, const struct naive *n, enum weights_rule rule) {
    struct layout *l = layout_new(&n->net);
    CHECK(l, "%s", fail_text());
    float *all = calloc(l->weights, sizeof *all);
    CHECK(all, "memory");
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t i = 0; i < n->size[t]; i++) all[naive_place(n, l, t, i)] = (float)n->table[t][i].v;
    CHECK(weights_create(path, &n->net, 0, all) == 0, "%s", fail_text());
    free(all);
    layout_free(l);
    CHECK(weights_open(w, path, WEIGHTS_LEARN) == 0, "%s", fail_text());
    if (rule) CHECK(weights_accumulate(w, rule) == 0, "%s", fail_text());
    if (n->promote) CHECK(weights_promote(w) == 0, "%s", fail_text());
}

static double stored(const struct weights *w, uint32_t at) {
    return (double)w->layout->scale * (double)half_join(w->v[at], w->rest[at]);
}

// Rounding grows here: step sizes are products of what the errors were.
static void compare_sizes(const struct step_size *got, const struct naive_weight *want, const char *what) {
    CHECK(fabs((double)got->alpha - want->alpha) <= 1e-2 * want->alpha + 1e-27, "%s: step size %g, not %g", what,
          (double)got->alpha, want->alpha);
    CHECK(fabs((double)got->trace - want->h) <= 1e-2 * (fabs(want->h) + 1), "%s: h %g, not %g", what,
          (double)got->trace, want->h);
    CHECK(fabs((double)got->norm - want->norm) <= 1e-2 * (want->norm + 1), "%s: v %g, not %g", what,
          (double)got->norm, want->norm);
}

// All weights are those of the naive network, within a ten thousandth of what
// a board's value may be made of.
static void compare(const struct weights *w, const struct naive *n, const char *what) {
    double most = 1, most_a = 1;
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t i = 0; i < n->size[t]; i++) {
            most = fmax(most, fabs(n->table[t][i].v));
            most_a = fmax(most_a, n->table[t][i].a);
        }
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t i = 0; i < n->size[t]; i++) {
            const struct naive_weight *want = &n->table[t][i];
            uint32_t at = naive_place(n, w->layout, t, i);
            if (n->promote && t >= n->each && !want->used) {
                CHECK(w->v[at] == HALF_UNUSED && w->rest[at] == 0, "%s: tuple %u, %zu was used", what, t, i);
                continue;
            }
            CHECK(fabs(stored(w, at) - want->v) <= 1e-4 * most, "%s: tuple %u, %zu: %g, not %g", what, t, i,
                  stored(w, at), want->v);
            if (w->sizes) compare_sizes(&w->sizes[at], want, what);
            if (!w->acc) continue;
            CHECK(fabs((double)w->acc[at].sum - want->e) <= 1e-4 * most_a, "%s: tuple %u, %zu: sum %g, not %g",
                  what, t, i, (double)w->acc[at].sum, want->e);
            CHECK(fabs((double)w->acc[at].magnitude - want->a) <= 1e-4 * most_a,
                  "%s: tuple %u, %zu: magnitude %g, not %g", what, t, i, (double)w->acc[at].magnitude, want->a);
        }
}

static void compare_bits(const struct weights *a, const struct weights *b, const char *what) {
    uint64_t n = a->layout->weights;
    CHECK(memcmp(a->v, b->v, n * sizeof *a->v) == 0, "%s: the variants' first halves differ", what);
    CHECK(memcmp(a->rest, b->rest, n * sizeof *a->rest) == 0, "%s: the second halves differ", what);
    if (a->sizes) CHECK(memcmp(a->sizes, b->sizes, n * sizeof *a->sizes) == 0, "%s: step sizes differ", what);
    if (a->acc) CHECK(memcmp(a->acc, b->acc, n * sizeof *a->acc) == 0, "%s: accumulators differ", what);
}

// Recorded episodes.
enum { EPISODES = 12, LONGEST = 1200 };
struct record {
    struct learn_episode e[EPISODES];
    struct board after[EPISODES][LONGEST];
    uint32_t reward[EPISODES][LONGEST];
};

// Random and greedy games in turn; every third is cut, some very early.
static void play(struct record *r, const struct naive *n) {
    const struct shape *s = &n->net.shape;
    struct layout *l = layout_new(&n->net);
    uint8_t *step = malloc(MOST_STEPS);
    CHECK(l && step, "memory");
    uint16_t *weights = calloc(l->weights, sizeof *weights);
    CHECK(weights, "memory");
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t i = 0; i < n->size[t]; i++)
            weights[naive_place(n, l, t, i)] = half_write((float)n->table[t][i].v / l->scale);
    for (unsigned i = 0; i < EPISODES; i++) {
        struct game g = {.rng = rng_stream(11, i), .step = step};
        struct board start = g.board = play_start(s, &g.rng, play_p4(0.1));
        if (i % 2)
            ntuple_kernel_plain.greedy(l, weights, play_p4(0.1), &g, 1);
        else
            g.steps = kernel_plain.random(s, &g.rng, play_p4(0.1), &g.board, g.step);
        int cut = i % 3 == 2;
        size_t steps = !cut ? g.steps : i == 2 ? 1 : i == 5 ? 2 : g.steps / 2;
        if (steps > g.steps) steps = g.steps;
        if (i == EPISODES - 2) steps = 0;
        CHECK(steps <= LONGEST, "an episode of %zu steps", steps);
        CHECK(kernel_plain.trace(s, &start, step, steps, r->after[i], r->reward[i]) == steps, "trace");
        r->e[i] = (struct learn_episode){r->after[i], r->reward[i], steps, cut};
    }
    free(weights);
    free(step);
    layout_free(l);
}

// Boards that are their own images, and the same one again and again: a weight
// is then used several times by one afterstate.
static void invent(struct record *r, const struct naive *n) {
    const struct shape *s = &n->net.shape;
    struct rng rng = rng_stream(12, 0);
    for (unsigned i = 0; i < EPISODES; i++) {
        size_t steps = 1 + rng_next(&rng) % 20;
        for (size_t t = 0; t < steps; t++) {
            struct board b = {0, 0};
            unsigned kind = (unsigned)(rng_next(&rng) % 3);
            for (unsigned c = 0; c < s->cells; c++) {
                // The smallest cell of those that symmetry puts here chooses.
                unsigned first = c;
                for (unsigned k = 0; k < n->images; k++)
                    if (kind != 1 || k < 2) first = n->image[k][c] < first ? n->image[k][c] : first;
                b = board_put(b, c, kind == 0 ? 3 : 1 + (first * 7 + (unsigned)t / 3) % 5);
            }
            r->after[i][t] = b;
            r->reward[i][t] = 4 * (uint32_t)(rng_next(&rng) % 8);
        }
        r->e[i] = (struct learn_episode){r->after[i], r->reward[i], steps, i % 3 == 2};
    }
}

static const char *const networks[] = {
    "board 2x3\nvalues 8\ntuple 0 1 2\ntuple 0 1 3 4\ntuple 5\n",
    "board 3x3\nvalues 11\ntuple 0 1 3\ntuple 0 1 4\ntuple 2 4\n",
    "board 4x4\nvalues 16\ntuple 0 1 2\ntuple 5 6 9\ntuple 0 1 5\n",
    "board 1x4\nvalues 6\ntuple 0 1\ntuple 1 2\ntuple 3\n",
    "board 3x3\nvalues 11\nsplit 1-3 3-6 7-10\nstages 8 32\ntuple 0 1 3\ntuple 0 1 4\n",
    "board 4x4\nvalues 16\nstages 2^3 32\ntuple 0 1 2\ntuple 5 6 9\n",
    "board 2x3\nvalues 8\nsplit 1-2 3-7\nstages 2^2 16\ntuple 0 1 2\ntuple 5\ntuple 0 1 3 4\n",
};
enum { NETWORKS = sizeof networks / sizeof *networks };

struct pupil {
    struct weights w;
    struct learner l;
    struct learn_error error;
};

static void enrol(struct pupil *p, const char *path, const struct naive *n, const struct learn_rule *rule,
                  int fast) {
    make_weights(&p->w, path, n, rule->accumulators);
    CHECK(learner_init(&p->l, &p->w, rule) == 0, "%s", fail_text());
    p->l.learn = learn_episode_plain;
#ifdef WITH_V3
    if (fast) p->l.learn = learn_episode_v3;
#else
    (void)fast;
#endif
    p->error = (struct learn_error){0};
}

static void dismiss(struct pupil *p) {
    learner_free(&p->l);
    CHECK(weights_close(&p->w) == 0, "%s", fail_text());
}

static void run(unsigned i, int promote, const struct learn_rule *rule,
                void (*record)(struct record *, const struct naive *)) {
    static const char *const rules[] = {"td", "tc", "autostep"}, *const updates[] = {"standard", "delayed", "backward"};
    static struct record r;
    char what[128];
    struct pupil plain, fast;
    struct naive *n = naive_new(networks[i]);
    // Small optimistic weights, so that games and errors are as in learning.
    struct rng rng = rng_stream(13, i);
    for (unsigned t = 0; t < n->tables; t++)
        for (size_t x = 0; x < n->size[t]; x++)
            n->table[t][x].v = (double)(float)((double)(rng_next(&rng) % 1000) / 50);
    record(&r, n);
    n->promote = promote;
    int both = all_ntuple_kernels()[1] != NULL;
    enrol(&plain, "plain.w", n, rule, 0);
    if (both) enrol(&fast, "fast.w", n, rule, 1);
    double error = 0;
    uint64_t errors = 0, moves = 0;
    for (unsigned k = 0; k < EPISODES; k++) {
        snprintf(what, sizeof what, "network %u, %s%s %s, rate %g, lambda %g, horizon %u, steps %u, episode %u", i,
                 promote ? "promoted " : "", rules[rule->accumulators], updates[rule->update], rule->rate,
                 rule->lambda, rule->horizon, rule->steps, k);
        learner_look(&plain.l, moves);
        CHECK(learner_learn(&plain.l, &r.e[k], &plain.error) == 0, "%s: %s", what, fail_text());
        if (both) {
            learner_look(&fast.l, moves);
            CHECK(learner_learn(&fast.l, &r.e[k], &fast.error) == 0, "%s: %s", what, fail_text());
            compare_bits(&plain.w, &fast.w, what);
            CHECK(plain.error.sum == fast.error.sum && plain.error.n == fast.error.n, "%s", what);
        }
        error += learn_naively(n, rule, &r.e[k], moves);
        moves += r.e[k].n;
        errors += r.e[k].n - (r.e[k].cut && r.e[k].n);
        CHECK(fabs(plain.error.sum - error) <= 1e-4 * error, "%s: error %g, not %g", what, plain.error.sum, error);
        CHECK(plain.error.n == errors, "%s: %u errors", what, (unsigned)plain.error.n);
        if (k % 4 == 3 || k < 2) compare(&plain.w, n, what);
    }
    dismiss(&plain);
    if (both) dismiss(&fast);
    naive_free(n);
}

static void all_of(enum weights_rule rule, enum learn_update update,
                   void (*record)(struct record *, const struct naive *)) {
    static const double lambdas[] = {0, 0.3, 0.5, 0.9};
    for (unsigned i = 0; i < NETWORKS; i++)
        for (unsigned k = 0; k < 4; k++) {
            unsigned usual = learn_horizon(lambdas[k]);
            const unsigned horizons[] = {usual, 0, 1, 5, MOST_HORIZON};
            unsigned count = update == UPDATE_BACKWARD || lambdas[k] <= 0 ? 1 : 5;
            for (unsigned j = 0; j < count; j++) {
                if (j && horizons[j] == usual) continue;
                // Small tables share most weights: large rates would run away.
                double rate = (rule ? 0.4 : 0.2) * (j % 2 ? 1 : 0.5) * (1 - lambdas[k]);
                if (record == invent) rate /= 8;
                const struct learn_rule how = {.accumulators = rule, .update = update, .rate = rate,
                                               .lambda = lambdas[k], .horizon = horizons[j]};
                run(i, 0, &how, record);
                if (strstr(networks[i], "stages")) run(i, 1, &how, record);
            }
        }
}

static void td_standard(void) { all_of(RULE_NONE, UPDATE_STANDARD, play); }
static void td_delayed(void) { all_of(RULE_NONE, UPDATE_DELAYED, play); }
static void td_backward(void) { all_of(RULE_NONE, UPDATE_BACKWARD, play); }
static void tc_standard(void) { all_of(RULE_TC, UPDATE_STANDARD, play); }
static void tc_delayed(void) { all_of(RULE_TC, UPDATE_DELAYED, play); }
static void tc_backward(void) { all_of(RULE_TC, UPDATE_BACKWARD, play); }

static void symmetric(void) {
    for (unsigned rule = RULE_NONE; rule <= RULE_TC; rule++)
        for (unsigned update = UPDATE_STANDARD; update <= UPDATE_BACKWARD; update++)
            all_of((enum weights_rule)rule, (enum learn_update)update, invent);
}

static void steps_of(enum weights_rule rule, enum learn_update update,
                     void (*record)(struct record *, const struct naive *)) {
    static const unsigned steps[] = {2, 3, 10, MOST_RETURN};
    for (unsigned i = 0; i < NETWORKS; i++)
        for (unsigned k = 0; k < 4; k++) {
            // Targets far away are large ones.
            double rate = (record == invent ? 0.05 : 0.2) / sqrt(steps[k]);
            const struct learn_rule how = {.accumulators = rule, .update = update, .rate = rate, .steps = steps[k]};
            run(i, 0, &how, record);
            if (strstr(networks[i], "stages")) run(i, 1, &how, record);
        }
}

static void n_steps(void) {
    for (unsigned rule = RULE_NONE; rule <= RULE_TC; rule++)
        for (unsigned update = UPDATE_DELAYED; update <= UPDATE_BACKWARD; update++) {
            steps_of((enum weights_rule)rule, (enum learn_update)update, play);
            steps_of((enum weights_rule)rule, (enum learn_update)update, invent);
        }
}

static void autostep(void) {
    static const double rates[] = {1, 0.1, 10}, mus[] = {0.1, 0.01, 1}, taus[] = {0.0001, 0.1, 1};
    for (unsigned i = 0; i < NETWORKS; i++)
        for (unsigned k = 0; k < 9; k++) {
            const struct learn_rule how = {
                .accumulators = RULE_AUTOSTEP, .update = k < 3 ? UPDATE_STANDARD : (enum learn_update)(k % 3),
                .rate = rates[k % 3], .mu = mus[k / 3], .tau = taus[k * 5 % 3], .steps = k == 5 ? 3 : 1};
            run(i, 0, &how, play);
            run(i, 0, &how, invent);
            if (strstr(networks[i], "stages")) run(i, 1, &how, play);
        }
}

// Rates that change with the moves learned, and TD that becomes TC.
static void schedules(void) {
    static const struct learn_rule plans[] = {
        {.rate = 0.2, .last_rate = 0.02, .rate_moves = 300},
        {.rate = 0, .last_rate = 0.2, .rate_moves = 1000000},
        {.accumulators = RULE_TC, .rate = 0.3, .last_rate = 0.05, .rate_moves = 200, .update = UPDATE_BACKWARD},
        {.accumulators = RULE_TC, .rate = 0.1, .td_moves = 150, .later_rate = 0.4},
        {.accumulators = RULE_TC, .rate = 0.1, .td_moves = 1, .later_rate = 0.4, .update = UPDATE_DELAYED,
         .lambda = 0.5, .horizon = 3},
        {.accumulators = RULE_TC, .rate = 0.2, .last_rate = 0.1, .rate_moves = 100, .td_moves = 200,
         .later_rate = 0.3},
        {.accumulators = RULE_TC, .rate = 0.1, .td_moves = UINT64_MAX, .later_rate = 0.4},
    };
    for (unsigned i = 0; i < NETWORKS; i++)
        for (unsigned k = 0; k < sizeof plans / sizeof *plans; k++) run(i, 0, &plans[k], play);
}

// A rate of 1 removes a whole error at once, of boards that use each weight once.
static void whole_error(void) {
    struct naive *n = naive_new("board 2x3\nvalues 8\ntuple 0 1\ntuple 1 2 4\n");
    const struct learn_rule rule = {.rate = 1};
    struct pupil p;
    enrol(&p, "whole.w", n, &rule, 0);
    struct board b = {0, 0}, far = {0, 0};
    for (unsigned c = 0; c < 6; c++) b = board_put(b, c, c + 1);
    const struct board after[2] = {far, b};
    const uint32_t reward[2] = {0, 1000};
    CHECK(learner_learn(&p.l, &(struct learn_episode){after, reward, 2, 0}, &p.error) == 0, "%s", fail_text());
    float got = ntuple_kernel_plain.value(p.w.layout, p.w.v, far);
    // The empty board uses each weight four times.
    CHECK(fabsf(got - 4000) < 4, "%g", (double)got);
    const uint32_t last[2] = {0, 64};
    const struct board other[2] = {b, far};
    for (unsigned i = 0; i < 2; i++)
        CHECK(learner_learn(&p.l, &(struct learn_episode){other, last, 2, 1}, &p.error) == 0, "%s", fail_text());
    got = ntuple_kernel_plain.value(p.w.layout, p.w.v, b);
    CHECK(fabsf(got - 4064) < 4, "%g", (double)got);
    dismiss(&p);
    naive_free(n);
}

// Values that run away are an error, in both variants.
static void divergence(void) {
    for (int fast = 0; fast < (all_ntuple_kernels()[1] ? 2 : 1); fast++) {
        struct naive *n = naive_new("board 2x2\nvalues 4\ntuple 0 1\n");
        const struct learn_rule rule = {.rate = 10};
        struct pupil p;
        enrol(&p, "far.w", n, &rule, fast);
        const struct board after[2] = {{0, 0}, {0, 0}};
        const uint32_t reward[2] = {4, 4};
        int status = 0;
        for (unsigned i = 0; status == 0 && i < 1000; i++)
            status = learner_learn(&p.l, &(struct learn_episode){after, reward, 2, 0}, &p.error);
        CHECK(status == -1 && strstr(fail_text(), "beyond all bounds"), "status %d: %s", status, fail_text());
        dismiss(&p);
        naive_free(n);
    }
}

static void horizons(void) {
    CHECK(learn_horizon(0) == 0, "0");
    CHECK(learn_horizon(0.3) == 1, "0.3: %u", learn_horizon(0.3)); // 0.3^2 = 0.09
    CHECK(learn_horizon(0.5) == 3, "0.5: %u", learn_horizon(0.5)); // 0.5^4 = 0.0625
    CHECK(learn_horizon(0.9) == 21, "0.9: %u", learn_horizon(0.9));
    CHECK(learn_horizon(0.99) == MOST_HORIZON && learn_horizon(1) == MOST_HORIZON, "at most");
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {{"td-standard", td_standard},
                                              {"td-delayed", td_delayed},
                                              {"td-backward", td_backward},
                                              {"tc-standard", tc_standard},
                                              {"tc-delayed", tc_delayed},
                                              {"tc-backward", tc_backward},
                                              {"symmetric", symmetric},
                                              {"autostep", autostep},
                                              {"n-steps", n_steps},
                                              {"schedules", schedules},
                                              {"whole-error", whole_error},
                                              {"divergence", divergence},
                                              {"horizons", horizons},
                                              {NULL, NULL}};
    return check_main(cases, argc, argv);
}
