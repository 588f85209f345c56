// SPDX-License-Identifier: MIT
#include "ntuple/network.h"

#include <stdlib.h>
#include <string.h>

#include "util/fail.h"
#include "util/in.h"
#include "util/number.h"

// Where a message belongs to.
struct place {
    const char *name;
    unsigned line;
};

static int wrong(const struct place *p, const char *reason) {
    return fail("%s: line %u: %s", p->name, p->line, reason);
}

// The next word of a line, cut off at blanks; NULL at its end.
static char *word(char **at) {
    char *from = *at + strspn(*at, " \t\r");
    if (!*from) return NULL;
    char *end = from + strcspn(from, " \t\r");
    *at = end + (*end != '\0');
    *end = '\0';
    return from;
}

static int parse_tuple(struct network *net, const struct place *p, char *rest) {
    if (!net->shape.cells) return wrong(p, "'board' must come before the tuples");
    if (net->tuples == MOST_TUPLES) return wrong(p, "too many tuples (64 at most)");
    struct tuple *t = &net->tuple[net->tuples++];
    t->n = 0;
    for (char *w; (w = word(&rest));) {
        uint64_t cell;
        if (number_u64(w, 0, net->shape.cells - 1, &cell))
            return fail("%s: line %u: cell '%s': %s", p->name, p->line, w, fail_text());
        for (unsigned i = 0; i < t->n; i++)
            if (t->cell[i] == cell) return fail("%s: line %u: cell %s twice", p->name, p->line, w);
        if (t->n == MOST_TUPLE_CELLS) return wrong(p, "a tuple has at most 12 cells");
        t->cell[t->n++] = (uint8_t)cell;
    }
    return t->n ? 0 : wrong(p, "a tuple without cells");
}

static int parse_line(struct network *net, const struct place *p, char *line) {
    line[strcspn(line, "#")] = '\0';
    char *key = word(&line);
    if (!key) return 0;
    if (strcmp(key, "tuple") == 0) return parse_tuple(net, p, line);
    if (strcmp(key, "board") != 0 && strcmp(key, "values") != 0)
        return fail("%s: line %u: unknown word '%s'", p->name, p->line, key);
    char *value = word(&line);
    if (!value || word(&line)) return fail("%s: line %u: '%s' needs one value", p->name, p->line, key);
    uint64_t values;
    if (strcmp(key, "board") == 0) {
        if (net->shape.cells) return wrong(p, "'board' again");
        return shape_parse(value, &net->shape) ? wrong(p, fail_text()) : 0;
    }
    if (net->values) return wrong(p, "'values' again");
    if (number_u64(value, 2, MOST_VALUES, &values)) return wrong(p, fail_text());
    net->values = (unsigned)values;
    return 0;
}

static int parse_all(struct network *net, const char *name, char *copy) {
    struct place p = {name, 0};
    for (char *line = copy, *next; line; line = next) {
        p.line++;
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        if (parse_line(net, &p, line)) return -1;
    }
    if (!net->shape.cells) return fail("%s: 'board' is missing", name);
    if (!net->values) return fail("%s: 'values' is missing", name);
    if (!net->tuples) return fail("%s: has no tuple", name);
    return 0;
}

int network_parse(struct network *net, const char *name, const char *text, size_t size) {
    *net = (struct network){0};
    // A newline that is missing at the end is added.
    int added = size == 0 || text[size - 1] != '\n';
    if (size + (size_t)added > NETWORK_TEXT || memchr(text, '\0', size))
        return fail("%s: no network definition", name);
    net->text = fail_alloc(size + 2, 1);
    char *copy = fail_alloc(size + 1, 1);
    int status = net->text && copy ? 0 : -1;
    if (status == 0) {
        memcpy(copy, text, size);
        copy[size] = '\0';
        memcpy(net->text, text, size);
        net->size = size;
        if (added) net->text[net->size++] = '\n';
        net->text[net->size] = '\0';
        status = parse_all(net, name, copy);
    }
    free(copy);
    if (status) network_free(net);
    return status;
}

int network_load(struct network *net, const char *path) {
    struct in *in = in_open(path);
    char *text = fail_alloc(NETWORK_TEXT + 1, 1);
    ssize_t n = in && text ? in_read(in, text, NETWORK_TEXT + 1) : -1;
    int status = n < 0 ? -1 : network_parse(net, in_name(in), text, (size_t)n);
    free(text);
    in_close(in);
    return status;
}

void network_free(struct network *net) {
    free(net->text);
    net->text = NULL;
}

unsigned network_features(const struct network *net) {
    return net->tuples * net->shape.symmetries;
}

uint64_t network_parameters(const struct network *net) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < net->tuples; i++) {
        uint64_t size = 1;
        for (unsigned k = 0; k < net->tuple[i].n; k++)
            if ((size *= net->values) >> 48) return 0;
        sum += size;
    }
    return sum >> 48 ? 0 : sum;
}
