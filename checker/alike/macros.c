// SPDX-License-Identifier: MIT
/*
 * macros.c: see macros.h.
 *
 * No preprocessor, but enough that two texts become alike which differ by
 * macros alone: all definitions count everywhere, conditions are not looked at,
 * and a macro that stands for itself, or for too much, stays a name.
 *
 * Circle with tokens: this works on its list.
 */
#include "macros.h"

#include <stdlib.h>
#include <string.h>

#include "tokens.h"

enum {
    MOST_MACROS = 256,
    MOST_PARAMETERS = 16,
    DEPTH = 12,
    /* Tokens looked at or made, so that no few lines stand for a billion; a
     * long one counts more, because it is to be written out. */
    MOST_STEPS = 1 << 21,
    LONG = 8
};

struct macro {
    const struct token *name, *parameter[MOST_PARAMETERS], *body;
    int parameters, length; /* -1: it takes none */
};

struct macros {
    struct macro list[MOST_MACROS];
    int n, steps;
    struct tokens *out;
};

static bool is(const struct token *t, const char *word)
{
    return t->length == (int)strlen(word) &&
           memcmp(t->at, word, strlen(word)) == 0;
}

static bool same(const struct token *a, const struct token *b)
{
    return a->length == b->length &&
           memcmp(a->at, b->at, (size_t)a->length) == 0;
}

static bool is_spent(const struct macros *m)
{
    return m->steps >= MOST_STEPS;
}

/* Tokens up to the end of the line that begins at i. */
static int line_end(const struct token *in, int i, int n)
{
    for (i++; i < n && !in[i].first; i++)
        ;
    return i;
}

static bool is_define(const struct token *in, int i, int n)
{
    return i + 2 < n && in[i].first && is(&in[i], "#") &&
           is(&in[i + 1], "define") && !in[i + 1].first && !in[i + 2].first;
}

/* The name stands at i + 2; its parameters follow without a blank. */
static void define(struct macros *m, const struct token *in, int i, int end)
{
    struct macro *new = &m->list[m->n];
    const struct token *name = &in[i + 2];
    int k = i + 3;

    if (m->n == MOST_MACROS || name->kind != TOKEN_WORD)
        return;
    *new = (struct macro){.name = name, .parameters = -1};
    if (k < end && is(&in[k], "(") && in[k].at == name->at + name->length) {
        new->parameters = 0;
        for (k++; k < end && !is(&in[k], ")"); k++)
            if (in[k].kind == TOKEN_WORD && new->parameters < MOST_PARAMETERS)
                new->parameter[new->parameters++] = &in[k];
        k++;
    }
    new->body = &in[k];
    new->length = k < end ? end - k : 0;
    m->n++;
}

static const struct macro *find(const struct macros *m, const struct token *t)
{
    for (int i = 0; t->kind == TOKEN_WORD && !t->member && i < m->n; i++)
        if (same(m->list[i].name, t))
            return &m->list[i];
    return NULL;
}

/* Of a call whose `(` stands at i: where each argument begins, and last of all
 * its `)`. Returns how many; -1: it does not end. */
static int arguments(struct macros *m, const struct token *in, int i, int n,
                     int at[MOST_PARAMETERS + 1])
{
    int depth = 0, count = 0;

    at[0] = i + 1;
    for (; i < n && !is_spent(m); i++) {
        m->steps++;
        depth += is(&in[i], "(");
        depth -= is(&in[i], ")");
        if (depth == 1 && is(&in[i], ",") && count < MOST_PARAMETERS - 1)
            at[++count] = i + 1;
        if (depth == 0) {
            at[count + 1] = i + 1;
            return count + 1;
        }
    }
    return -1;
}

static void copy(struct macros *m, const struct token *in, int n,
                 struct tokens *to)
{
    for (int i = 0; i < n && !is_spent(m); i++) {
        m->steps++;
        tokens_add(to, &in[i]);
    }
}

/* The body, with arguments in the place of parameters. */
static void substitute(struct macros *m, const struct macro *macro,
                       const struct token *in, const int at[], int count,
                       struct tokens *to)
{
    for (int i = 0; i < macro->length && !is_spent(m); i++) {
        int k = 0;

        m->steps++;
        while (k < macro->parameters &&
               !same(macro->parameter[k], &macro->body[i]))
            k++;
        if (k >= macro->parameters || k >= count)
            copy(m, &macro->body[i], 1, to);
        else
            copy(m, &in[at[k]], at[k + 1] - 1 - at[k], to);
    }
}

static void put(struct macros *m, const struct token *in, int n, bool inside,
                int depth);

/* The call of a macro at i; returns its last token. */
static int call(struct macros *m, const struct macro *macro,
                const struct token *in, int i, int n, int depth)
{
    int at[MOST_PARAMETERS + 1], count;
    struct tokens body = {0};

    if (macro->parameters < 0) {
        put(m, macro->body, macro->length, in[i].inside, depth + 1);
        return i;
    }
    count = i + 1 < n && is(&in[i + 1], "(")
                ? arguments(m, in, i + 1, n, at)
                : -1;
    if (count < 0) {
        tokens_add(m->out, &in[i]);
        return i;
    }
    substitute(m, macro, in, at, count, &body);
    put(m, body.token, body.n, in[i].inside, depth + 1);
    free(body.token);
    return at[count] - 1;
}

static void put(struct macros *m, const struct token *in, int n, bool inside,
                int depth)
{
    for (int i = 0; i < n && !is_spent(m); i++) {
        const struct macro *macro = depth < DEPTH ? find(m, &in[i]) : NULL;
        struct token one = in[i];

        m->steps += 1 + in[i].length / LONG;
        one.inside = depth ? inside : one.inside;
        if (depth == 0 && is_define(in, i, n))
            i = line_end(in, i, n) - 1;
        else if (macro)
            i = call(m, macro, in, i, n, depth);
        else
            tokens_add(m->out, &one);
    }
}

void macros_expand(struct tokens *t)
{
    struct macros *m = calloc(1, sizeof *m);
    struct tokens out = {0};

    if (!m)
        return;
    m->out = &out;
    for (int i = 0; i < t->n; i++)
        if (is_define(t->token, i, t->n))
            define(m, t->token, i, line_end(t->token, i, t->n));
    if (m->n > 0)
        put(m, t->token, t->n, false, 0);
    if (m->n == 0 || is_spent(m)) { /* it stays as it was written */
        free(out.token);
    } else {
        free(t->token);
        t->token = out.token;
        t->n = out.n;
        t->room = out.room;
    }
    free(m);
}
