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

// "1-9 10-17": rising, from 1 to the last value, with no gap.
static int parse_split(struct network *net, const struct place *p, char *rest) {
    if (!net->values) return wrong(p, "'values' must come before 'split'");
    if (net->splits) return wrong(p, "'split' again");
    unsigned covered = 0, last = net->values - 1;
    for (char *w; (w = word(&rest));) {
        char *dash = strchr(w, '-');
        uint64_t low, high;
        if (dash) *dash = '\0';
        if (!dash || number_u64(w, 1, last, &low) || number_u64(dash + 1, low, last, &high))
            return fail("%s: line %u: a split is LOW-HIGH, from 1 to %u", p->name, p->line, last);
        if (net->splits == MOST_SPLITS) return wrong(p, "too many splits (8 at most)");
        const struct split *before = net->splits ? &net->split[net->splits - 1] : NULL;
        if (low > covered + 1)
            return fail("%s: line %u: no split has the value %u", p->name, p->line, covered + 1);
        if (before && (low <= before->low || high <= before->high))
            return wrong(p, "splits are out of order");
        net->split[net->splits++] = (struct split){(unsigned)low, (unsigned)high};
        covered = (unsigned)high;
    }
    if (covered < last) return fail("%s: line %u: no split has the value %u", p->name, p->line, covered + 1);
    return 0;
}

static int parse_tile(const char *text, unsigned *exponent) {
    uint64_t tile;
    if (number_u64(text, 2, 1 << 17, &tile) || tile & (tile - 1)) return -1;
    *exponent = (unsigned)__builtin_ctzll(tile);
    return 0;
}

// "2^4" or "2^4 512": a bit for each of so many tiles, up to the one named.
static int parse_stage_bits(struct network *net, const struct place *p, const char *g, char *rest) {
    const char *top = word(&rest);
    uint64_t bits;
    unsigned last = 15;
    if (number_u64(g, 1, MOST_STAGE_TILES, &bits)) return fail("%s: line %u: 2^%s: %s", p->name, p->line, g, fail_text());
    if ((top && parse_tile(top, &last)) || word(&rest)) return wrong(p, "stages 2^G, or 2^G TILE");
    if (bits > last) return wrong(p, "there are not so many tiles");
    net->stage_bits = 1;
    net->stage_tiles = (unsigned)bits;
    for (unsigned i = 0; i < bits; i++) net->stage_tile[i] = last + 1 - (unsigned)bits + i;
    return 0;
}

static int parse_stages(struct network *net, const struct place *p, char *rest) {
    if (net->stage_tiles) return wrong(p, "'stages' again");
    char *w = word(&rest);
    if (w && strncmp(w, "2^", 2) == 0) return parse_stage_bits(net, p, w + 2, rest);
    for (; w; w = word(&rest)) {
        unsigned *tile = &net->stage_tile[net->stage_tiles];
        if (net->stage_tiles == MOST_STAGE_TILES) return wrong(p, "too many stages (9 at most)");
        if (parse_tile(w, tile)) return fail("%s: line %u: '%s': not a tile", p->name, p->line, w);
        if (net->stage_tiles && tile[0] <= tile[-1]) return wrong(p, "stages are out of order");
        net->stage_tiles++;
    }
    return net->stage_tiles ? 0 : wrong(p, "'stages' needs tiles, or 2^G");
}

static int parse_line(struct network *net, const struct place *p, char *line) {
    line[strcspn(line, "#")] = '\0';
    char *key = word(&line);
    if (!key) return 0;
    if (strcmp(key, "tuple") == 0) return parse_tuple(net, p, line);
    if (strcmp(key, "split") == 0) return parse_split(net, p, line);
    if (strcmp(key, "stages") == 0) return parse_stages(net, p, line);
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
    if (net->tuples * network_splits(net) > MOST_TABLES)
        return fail("%s: tuples times splits are more than %d", name, MOST_TABLES);
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

int network_same(const struct network *a, const struct network *b) {
    if (a->shape.rows != b->shape.rows || a->shape.cols != b->shape.cols || a->values != b->values ||
        a->splits != b->splits || a->stage_bits != b->stage_bits ||
        a->stage_tiles != b->stage_tiles || a->tuples != b->tuples)
        return 0;
    // Arrays are zero behind their ends.
    return memcmp(a->split, b->split, sizeof a->split) == 0 &&
           memcmp(a->stage_tile, b->stage_tile, sizeof a->stage_tile) == 0 &&
           memcmp(a->tuple, b->tuple, sizeof a->tuple) == 0;
}

unsigned network_splits(const struct network *net) { return net->splits ? net->splits : 1; }

unsigned network_digits(const struct network *net, unsigned split, uint8_t digit[32]) {
    unsigned last = net->values - 1;
    struct split s = net->splits ? net->split[split] : (struct split){1, last};
    unsigned below = s.low > 1, above = s.high < last, n = 1 + below + (s.high - s.low + 1) + above;
    for (unsigned e = 0; e < 32; e++) {
        unsigned v = e < last ? e : last;
        digit[e] = (uint8_t)(v == 0        ? 0
                             : v < s.low   ? 1
                             : v <= s.high ? 1 + below + (v - s.low)
                                           : n - 1);
    }
    return n;
}

unsigned network_stages(const struct network *net) {
    return net->stage_bits ? 1u << net->stage_tiles : net->stage_tiles + 1;
}

unsigned network_stage(const struct network *net, struct board b) {
    unsigned stage = 0, n = net->stage_tiles;
    for (unsigned i = 0; i < net->shape.cells; i++) {
        unsigned e = board_cell(b, i), k = 0; // k: stage tiles that it reaches
        while (k < n && e >= net->stage_tile[k]) k++;
        if (net->stage_bits)
            stage |= k ? 1u << (k - 1) : 0; // one beyond the last counts as the last
        else
            stage = k > stage ? k : stage;
    }
    return stage;
}

unsigned network_features(const struct network *net) {
    return net->tuples * network_splits(net) * net->shape.symmetries;
}

uint64_t network_parameters(const struct network *net) {
    uint64_t sum = 0;
    uint8_t digit[32];
    for (unsigned s = 0; s < network_splits(net); s++)
        for (unsigned i = 0; i < net->tuples; i++) {
            uint64_t size = 1, digits = network_digits(net, s, digit);
            for (unsigned k = 0; k < net->tuple[i].n; k++)
                if ((size *= digits) >> 48) return 0;
            if ((sum += size) >> 48) return 0;
        }
    sum *= network_stages(net);
    return sum >> 48 ? 0 : sum;
}
