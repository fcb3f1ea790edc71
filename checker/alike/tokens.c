// SPDX-License-Identifier: MIT
/*
 * tokens.c: see tokens.h.
 *
 * Names of the language and of CUDA say what the code does and stay; all other
 * names can be exchanged without changing it.
 */
#include "tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/conf/holes.h"

enum { MOST_BYTES = 4 << 20 }; /* far more than a hand-in may have */

/* In strcmp's order. */
static const char *const known[] = {
    "__device__", "__global__", "__half", "__ldg", "__nv_bfloat16",
    "__restrict__", "__shared__", "__shfl_down_sync", "__shfl_sync",
    "__shfl_up_sync", "__shfl_xor_sync", "__syncthreads", "__syncwarp",
    "atomicAdd", "blockDim", "blockIdx", "bool", "break", "case", "char",
    "const", "continue", "default", "define", "do", "double", "else", "endif",
    "enum", "expf", "extern", "false", "float", "float2", "float4", "fmaf",
    "fmaxf", "for", "goto", "gridDim", "if", "ifdef", "ifndef", "inline",
    "int", "int4", "long", "max", "min", "pragma", "return", "rsqrtf", "short",
    "signed", "size_t", "sizeof", "sqrtf", "static", "struct", "switch",
    "template", "threadIdx", "true", "typedef", "typename", "union",
    "unroll", "unsigned", "using", "void", "volatile", "warpSize", "while"};

static int compare_known(const void *key, const void *element)
{
    const struct token *t = key;
    const char *name = *(const char *const *)element;
    int order = strncmp(t->at, name, (size_t)t->length);

    return order ? order : -(name[t->length] != '\0');
}

static bool is_known(const struct token *t)
{
    return bsearch(t, known, sizeof known / sizeof *known, sizeof *known,
                   compare_known) != NULL;
}

static void *room(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p) {
        fputs("alike: no memory\n", stderr);
        exit(2);
    }
    return p;
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = f ? room(MOST_BYTES + 1, 1) : NULL;
    size_t n = f ? fread(text, 1, MOST_BYTES, f) : 0;
    bool ok = f && !ferror(f);

    if (f)
        fclose(f);
    for (size_t i = 0; i < n; i++) /* so that it is one string */
        if (text[i] == '\0')
            text[i] = ' ';
    if (!ok) {
        free(text);
        return NULL;
    }
    return text;
}

static const char *to_line_end(const char *p)
{
    while (*p && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p;
}

/* Behind what opens with two characters. A hole's marks are comments. */
static const char *skip_comment(const char *p, bool *inside)
{
    const char *end;

    if (p[1] == '/') {
        if (strncmp(p, HOLE_OPENS, strlen(HOLE_OPENS)) == 0)
            *inside = true;
        if (strncmp(p, HOLE_CLOSES, strlen(HOLE_CLOSES)) == 0)
            *inside = false;
        return to_line_end(p);
    }
    end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

static bool is_include(const char *p)
{
    p++;
    while (*p == ' ' || *p == '\t')
        p++;
    return strncmp(p, "include", 7) == 0;
}

static const char *to_quote(const char *p)
{
    char quote = *p++;

    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

static bool in_word(unsigned char c)
{
    return isalnum(c) || c == '_' || c >= 0x80;
}

/* The end of the token that begins at p. */
static const char *one(const char *p, struct token *t)
{
    const char *from = p;
    unsigned char c = (unsigned char)*p;

    if (isdigit(c) || (c == '.' && isdigit((unsigned char)p[1]))) {
        t->kind = TOKEN_NUMBER;
        while (in_word((unsigned char)*p) || *p == '.' ||
               ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
            p++;
    } else if (in_word(c)) {
        t->kind = TOKEN_WORD;
        while (in_word((unsigned char)*p))
            p++;
    } else if (c == '"' || c == '\'') {
        t->kind = TOKEN_STRING;
        p = to_quote(p);
    } else {
        t->kind = TOKEN_MARK;
        p++;
    }
    t->at = from;
    t->length = (int)(p - from);
    return p;
}

static bool is_mark(const struct token *t, char c)
{
    return t->kind == TOKEN_MARK && *t->at == c;
}

static bool is_member(const struct tokens *t)
{
    const struct token *last = t->token + t->n - 1;

    if (t->n > 1 && is_mark(last, '>') && is_mark(last - 1, '-'))
        return last->at == last[-1].at + 1;
    return t->n > 0 && is_mark(last, '.');
}

bool tokens_read(struct tokens *t, const char *path)
{
    bool inside = false;
    const char *p;

    *t = (struct tokens){.text = read_all(path)};
    if (!t->text)
        return false;
    t->token = room(strlen(t->text), sizeof *t->token);
    for (p = t->text; *p;) {
        if (isspace((unsigned char)*p) || *p == '\\') {
            p++;
        } else if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(p, &inside);
        } else if (*p == '#' && is_include(p)) {
            p = to_line_end(p);
        } else {
            struct token *next = &t->token[t->n];

            next->inside = inside;
            next->member = is_member(t);
            p = one(p, next);
            t->n++;
            t->n_inside += inside;
        }
    }
    return true;
}

void tokens_free(struct tokens *t)
{
    free(t->token);
    free(t->text);
}

static bool is_same(const struct token *a, const struct token *b)
{
    return a->length == b->length && a->member == b->member &&
           memcmp(a->at, b->at, (size_t)a->length) == 0;
}

static bool is_fixed(const struct tokens *fixed, const struct token *word)
{
    for (int i = 0; fixed && i < fixed->n; i++)
        if (!fixed->token[i].inside && is_same(&fixed->token[i], word))
            return true;
    return false;
}

/* Each own name points to its first appearance: a table with open addressing,
 * so that a megabyte of names costs no more than a megabyte. */
struct names {
    const struct token **slot;
    int *number;
    size_t size; /* a power of two */
    int n;
};

static uint64_t mix(uint64_t hash, const char *at, int length)
{
    for (int i = 0; i < length; i++) /* FNV-1a */
        hash = (hash ^ (unsigned char)at[i]) * 0x100000001b3u;
    return hash;
}

/* Of threadIdx, of a float4. */
static bool is_lane(const struct token *word)
{
    return word->member && word->length == 1 && strchr("xyzw", *word->at);
}

/* Its number: 0 for a name that keeps its word. */
static int number_of(struct names *names, const struct token *word,
                     const struct tokens *fixed)
{
    size_t i = mix(0xcbf29ce484222325u, word->at, word->length) &
               (names->size - 1);

    while (names->slot[i] && !is_same(names->slot[i], word))
        i = (i + 1) & (names->size - 1);
    if (!names->slot[i]) {
        names->slot[i] = word;
        names->number[i] =
            is_known(word) || is_fixed(fixed, word) ? 0 : ++names->n;
    }
    return names->number[i];
}

char *tokens_form(const struct tokens *t, bool inside,
                  const struct tokens *fixed)
{
    struct names names = {.size = 16};
    char *form = room(strlen(t->text) + (size_t)t->n * 12 + 1, 1);
    char *end = form;

    while (names.size < (size_t)t->n * 2)
        names.size *= 2;
    names.slot = room(names.size, sizeof *names.slot);
    names.number = room(names.size, sizeof *names.number);
    for (int i = 0; i < t->n; i++) {
        const struct token *token = &t->token[i];
        int number = 0;

        if (inside && !token->inside)
            continue;
        if (token->kind == TOKEN_WORD && !is_lane(token))
            number = number_of(&names, token, fixed);
        if (number)
            end += sprintf(end, "$%d ", number);
        else
            end += sprintf(end, "%.*s ", token->length, token->at);
    }
    free(names.slot);
    free(names.number);
    return form;
}

void tokens_kinds(const struct tokens *t, uint64_t *hash)
{
    for (int i = 0; i < t->n; i++) {
        const struct token *token = &t->token[i];
        bool literal = token->kind == TOKEN_MARK ||
                       (token->kind == TOKEN_WORD && is_known(token));

        hash[i] = mix(0xcbf29ce484222325u, token->at,
                      literal ? token->length : 0) +
                  (uint64_t)token->kind * 0x9e3779b97f4a7c15u;
    }
}
