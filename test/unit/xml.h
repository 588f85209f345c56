// SPDX-License-Identifier: MIT
// Whether a text is one well-formed XML element, as far as our pictures need
// it: balanced tags, quoted attributes that come once, known entities, UTF-8
// without control characters. No comments, no declarations.
#ifndef TEST_XML_H
#define TEST_XML_H

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { XML_DEPTH = 32, XML_NAME = 32, XML_ATTRIBUTES = 32 };

// Length of the UTF-8 character at s, 0 if it is none or XML cannot hold it.
static inline int xml_character(const unsigned char *s) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (*s < 0x80) return *s >= 0x20 || *s == '\n' || *s == '\t' ? 1 : 0;
    int n = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 0;
    uint32_t c = n ? *s & (0x7fu >> n) : 0;
    if (*s > 0xf4) return 0;
    for (int i = 1; i < n; i++) {
        if (s[i] >> 6 != 2) return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || c == 0xfffe || c == 0xffff)
        return 0;
    return n;
}

// Passes over text up to one of the ends; NULL if it is not sound.
static inline const char *xml_text(const char *s, const char *ends) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    while (*s && !strchr(ends, *s)) {
        int n = xml_character((const unsigned char *)s);
        if (n == 0 || *s == '<') return NULL;
        if (*s == '&') {
            n = 0;
            for (int i = 0; i < 5; i++)
                if (strncmp(s, entities[i], strlen(entities[i])) == 0) n = (int)strlen(entities[i]);
            if (n == 0) return NULL;
        }
        s += n;
    }
    return s;
}

static inline const char *xml_name(const char *s, char to[XML_NAME]) {
    size_t n = 0;
    if (!isalpha((unsigned char)*s)) return NULL;
    while (isalnum((unsigned char)*s) || *s == '-' || *s == ':') {
        if (n + 1 == XML_NAME) return NULL;
        to[n++] = *s++;
    }
    to[n] = '\0';
    return s;
}

// Passes over the attributes up to > or /.
static inline const char *xml_attributes(const char *s) {
    char seen[XML_ATTRIBUTES][XML_NAME];
    int n = 0;
    while (isspace((unsigned char)*s)) {
        s += strspn(s, " \n\t");
        if (*s == '>' || *s == '/') break;
        if (n == XML_ATTRIBUTES || !(s = xml_name(s, seen[n]))) return NULL;
        for (int i = 0; i < n; i++)
            if (strcmp(seen[i], seen[n]) == 0) return NULL;
        n++;
        if (*s++ != '=' || *s++ != '"' || !(s = xml_text(s, "\"")) || *s++ != '"') return NULL;
    }
    return s;
}

// NULL, or where it is wrong.
static inline const char *xml_wrong(const char *s) {
    char open[XML_DEPTH][XML_NAME], name[XML_NAME];
    int depth = 0, roots = 0;
    for (;;) {
        const char *at = s;
        s = xml_text(s, "<");
        if (!s) return at;
        if (depth == 0 && at + strspn(at, " \n\t") != s) return at;
        if (*s == '\0') return depth || roots != 1 ? s : NULL;
        at = s++;
        int closing = *s == '/';
        if (!(s = xml_name(s + closing, name))) return at;
        if (closing) {
            if (depth == 0 || strcmp(open[--depth], name) || *s++ != '>') return at;
            continue;
        }
        if (!(s = xml_attributes(s))) return at;
        roots += depth == 0;
        int empty = *s == '/';
        s += empty;
        if (*s++ != '>' || depth == XML_DEPTH) return at;
        if (!empty) strcpy(open[depth++], name);
    }
}

// All of a stream, ended by a zero; the caller frees it.
static inline char *xml_read(FILE *from) {
    size_t n = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text && (n += fread(text + n, 1, room - n - 1, from)) == room - 1)
        text = realloc(text, room *= 2);
    if (text) text[n] = '\0';
    // A zero byte would end the text early.
    if (text && strlen(text) != n) text[0] = '\1';
    return text;
}

#endif
