// SPDX-License-Identifier: MIT
#include "ntuple/fold.h"

#include <stdlib.h>
#include <string.h>

#include "util/fail.h"

static uint32_t cells_of(const struct network *net, unsigned tuple, unsigned image) {
    const struct tuple *t = &net->tuple[tuple];
    uint32_t set = 0;
    for (unsigned i = 0; i < t->n; i++) set |= (uint32_t)1 << net->shape.symmetry[image][t->cell[i]];
    return set;
}

// The first image of tuple a that tuple b contains, or -1.
static int contained(const struct network *net, unsigned a, unsigned b) {
    uint32_t within = cells_of(net, b, 0);
    for (unsigned k = 0; k < net->shape.symmetries; k++)
        if (!(cells_of(net, a, k) & ~within)) return (int)k;
    return -1;
}

// Of tuples with the same cells the first one stays.
static int takes_up(const struct network *net, unsigned b, unsigned a) {
    unsigned na = net->tuple[a].n, nb = net->tuple[b].n;
    return (nb > na || (nb == na && b < a)) && contained(net, a, b) >= 0;
}

static int taken_up(const struct network *net, unsigned a) {
    for (unsigned b = 0; b < net->tuples; b++)
        if (takes_up(net, b, a)) return 1;
    return 0;
}

// A board's value is a sum over all images. It does not matter which image of a
// tuple the sum begins with, so one that lies within a larger tuple will do, and
// however many there are, one takes up all of it. What contains a tuple that
// contains another contains that one, too: some tuple that stays will.
struct folding fold_plan(const struct network *net) {
    struct folding f = {.stay = 0};
    for (unsigned a = 0; a < net->tuples; a++) {
        f.into[a] = a;
        if (!taken_up(net, a)) {
            f.stay++;
            continue;
        }
        unsigned b = 0;
        while (!takes_up(net, b, a) || taken_up(net, b)) b++;
        f.into[a] = b;
        f.image[a] = (unsigned)contained(net, a, b);
    }
    return f;
}

static int is_tuple_line(const char *line) {
    line += strspn(line, " \t\r");
    return strncmp(line, "tuple", 5) == 0 && (line[5] == ' ' || line[5] == '\t');
}

int fold_network(const struct network *net, const struct folding *f, struct network *to) {
    char *text = fail_alloc(net->size + 1, 1);
    size_t n = 0;
    unsigned tuple = 0;
    if (!text) return -1;
    for (const char *line = net->text, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (is_tuple_line(line)) {
            unsigned t = tuple++;
            if (f->into[t] != t) continue;
        }
        memcpy(text + n, line, (size_t)(next - line));
        n += (size_t)(next - line);
    }
    int status = network_parse(to, "folded network", text, n);
    free(text);
    return status;
}

// A table as seen through the cells of a tuple, its own or one that contains it:
// what a digit of each of those cells counts, 0 for cells that it has not.
struct view {
    uint32_t base, fold, stride[MOST_TUPLE_CELLS];
};

static struct view view_table(const struct layout *l, const struct network *net, unsigned split,
                              unsigned tuple, unsigned image, const struct tuple *through) {
    unsigned table = split * net->tuples + tuple;
    struct view v = {.base = l->table[table].base, .fold = l->table[table].fold};
    uint32_t stride[MOST_TUPLE_CELLS];
    layout_strides(l, net, table, stride);
    for (unsigned i = 0; i < through->n; i++)
        for (unsigned k = 0; k < net->tuple[tuple].n; k++)
            if (net->shape.symmetry[image][net->tuple[tuple].cell[k]] == through->cell[i])
                v.stride[i] = stride[k];
    return v;
}

// Adds to each weight the one that the same digits find in another table.
static void add_table(float *to, const struct view *a, const float *from, const struct view *b,
                      unsigned cells, unsigned values) {
    unsigned digit[MOST_TUPLE_CELLS] = {0}, i;
    uint32_t x = 0, y = 0;
    do {
        to[a->base + layout_fold(x, a->fold)] += from[b->base + layout_fold(y, b->fold)];
        for (i = 0; i < cells && ++digit[i] == values; i++) {
            digit[i] = 0;
            x -= (values - 1) * a->stride[i];
            y -= (values - 1) * b->stride[i];
        }
        if (i < cells) {
            x += a->stride[i];
            y += b->stride[i];
        }
    } while (i < cells);
}

// One stage: all tables of w go to those of the network that stays.
static void fold_stage(const struct weights *w, const struct folding *f, const float *from,
                       const struct network *net, const struct layout *l, float *to) {
    unsigned place[MOST_TUPLES], stay = 0;
    for (unsigned t = 0; t < w->net.tuples; t++)
        if (f->into[t] == t) place[t] = stay++;
    for (unsigned s = 0; s < l->splits; s++)
        for (unsigned t = 0; t < w->net.tuples; t++) {
            unsigned u = f->into[t];
            const struct tuple *through = &w->net.tuple[u];
            struct view a = view_table(l, net, s, place[u], 0, through);
            struct view b = view_table(w->layout, &w->net, s, t, f->image[t], through);
            add_table(to, &a, from, &b, through->n, l->digits[s].values);
        }
}

static float *zeros(uint64_t n) {
    float *v = calloc(n, sizeof *v);
    if (!v) fail("memory: cannot get %llu bytes", (unsigned long long)(n * sizeof *v));
    return v;
}

static int fold_into(const struct weights *w, const struct folding *f, const struct network *net,
                     const char *path) {
    struct layout *l = layout_new(net);
    float *from = fail_alloc(w->layout->stage_weights, sizeof *from), *to = l ? zeros(l->weights) : NULL;
    int status = l && from && to ? 0 : -1;
    for (unsigned stage = 0; status == 0 && stage < l->stages; stage++) {
        weights_read(w, stage, from);
        fold_stage(w, f, from, net, l, to + stage * l->stage_weights);
    }
    struct weights_info i = weights_info(w);
    if (status == 0) status = weights_create_learned(path, net, i.init, to, i.moves, i.episodes);
    free(to);
    free(from);
    layout_free(l);
    return status;
}

int fold_weights(const struct weights *w, const char *path) {
    struct folding f = fold_plan(&w->net);
    struct network net;
    if (fold_network(&w->net, &f, &net)) return -1;
    int status = fold_into(w, &f, &net, path);
    network_free(&net);
    return status;
}

// Adds the weights of a file to the sum, and its counts.
static int add_weights(const struct weights *w, float *sum, struct weights_info *total) {
    uint64_t n = w->layout->stage_weights;
    float *stage = fail_alloc(n, sizeof *stage);
    if (!stage) return -1;
    for (unsigned s = 0; s < w->layout->stages; s++, sum += n) {
        weights_read(w, s, stage);
        for (uint64_t i = 0; i < n; i++) sum[i] += stage[i];
    }
    free(stage);
    struct weights_info i = weights_info(w);
    total->init += i.init;
    total->moves += i.moves;
    total->episodes += i.episodes;
    return 0;
}

static int add_file(const struct weights *first, const char *path, float *sum, struct weights_info *total) {
    struct weights w;
    if (weights_open(&w, path, WEIGHTS_PLAY)) return -1;
    int status = network_same(&first->net, &w.net)
                     ? add_weights(&w, sum, total)
                     : fail("%s: has another network than %s", path, first->path);
    weights_close(&w);
    return status;
}

int fold_mean(char *const *paths, unsigned n, const char *path) {
    struct weights first;
    struct weights_info total = {0};
    if (weights_open(&first, paths[0], WEIGHTS_PLAY)) return -1;
    float *sum = zeros(first.layout->weights);
    int status = sum ? add_weights(&first, sum, &total) : -1;
    for (unsigned i = 1; status == 0 && i < n; i++) status = add_file(&first, paths[i], sum, &total);
    for (uint64_t i = 0; status == 0 && i < first.layout->weights; i++) sum[i] /= (float)n;
    if (status == 0)
        status = weights_create_learned(path, &first.net, total.init / n, sum, total.moves, total.episodes);
    free(sum);
    weights_close(&first);
    return status;
}
