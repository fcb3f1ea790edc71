// SPDX-License-Identifier: MIT
/*
 * origins.c: see origins.h.
 *
 * It reads the source as text: a name's value comes from the nearest line above
 * that gives it one, in a scope that is still open, and so on for the names
 * that stand there. No line is called wrong.
 */
#include "origins.h"

#include <ctype.h>
#include <string.h>

#include "code.h"
#include "said.h"

/* More lines would hide the ones that matter; nearest names come first. */
enum { MOST = 5, NAMES = 32 };

struct name {
    const char *begin;
    size_t n;
    const char *used; /* where it is used: its value comes from above */
};

struct origins {
    const char *source;
    struct name names[NAMES];
    int n_names;
    const char *at[MOST]; /* places on the lines found, none twice */
    int n;
};

static const char *line_begin(const char *source, int line)
{
    while (line > 1 && (source = strchr(source, '\n'))) {
        source++;
        line--;
    }
    return source;
}

static bool has_name(const struct origins *o, const char *begin, size_t n)
{
    for (int i = 0; i < o->n_names; i++)
        if (o->names[i].n == n && strncmp(o->names[i].begin, begin, n) == 0)
            return true;
    return false;
}

/* The names in [from, to), but no member's and no function's. */
static void add_names(struct origins *o, const char *from, const char *to,
                      const char *used)
{
    for (const char *p = from; p < to;) {
        size_t n = 0;
        bool member = p > o->source && strchr(".>", p[-1]);

        while (p + n < to && code_is_name(p[n]))
            n++;
        if (n > 0 && !member && !isdigit((unsigned char)*p) && p[n] != '(' &&
            o->n_names < NAMES && !has_name(o, p, n))
            o->names[o->n_names++] = (struct name){p, n, used};
        p += n > 0 ? n : 1;
    }
}

/* Behind the ] of the [ at p; end: it does not close before. */
static const char *past_bracket(const char *p, const char *end)
{
    int depth = 0;

    for (; p < end; p++) {
        depth += (*p == '[') - (*p == ']');
        if (depth == 0)
            return p + 1;
    }
    return end;
}

/* What is in brackets in [from, end), of `array` alone if it is not NULL. */
static void add_indices(struct origins *o, const char *from, const char *end,
                        const char *array)
{
    const char *name = from;

    for (const char *p = from; p < end; p++) {
        const char *close;
        size_t n = (size_t)(p - name);

        if (*p != '[') {
            if (!code_is_name(*p))
                name = p + 1;
            continue;
        }
        close = past_bracket(p, end);
        if (!array || (strlen(array) == n && strncmp(array, name, n) == 0))
            for (; p < end && *p == '['; p = close)
                add_names(o, p, close = past_bracket(p, end), from);
        p = close - 1;
        name = close;
    }
}

/* NAME = or NAME += at p; where the value begins, or NULL. */
static const char *value_of(const char *p, size_t n)
{
    p = code_skip_space(p + n);
    if (*p && strchr("+-*/%&|^", *p))
        p++;
    return *p == '=' && p[1] != '=' ? p + 1 : NULL;
}

/* Where a value ends: at a comma, a ; or the ) around it. */
static const char *value_end(const char *p)
{
    int depth = 0;

    for (; *p && *p != ';' && *p != '{'; p++) {
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        if (depth < 0 || (depth == 0 && *p == ','))
            break;
    }
    return p;
}

/* Is p in the first part of a for ( ... ; ... ; ... )? The header's end. */
static const char *header_end(const char *source, const char *p)
{
    const char *open = p;

    while (open > source && !strchr("(;{}", open[-1]))
        open--;
    if (open < source + 4 || open[-1] != '(')
        return NULL;
    for (p = open - 1; p > source && isspace((unsigned char)p[-1]); p--)
        ;
    return p >= source + 3 && strncmp(p - 3, "for", 3) == 0
               ? code_closing(open - 1)
               : NULL;
}

/* Is p behind a ; in the parentheses around it, as the step of a for is? */
static bool is_step(const char *source, const char *p)
{
    int depth = 0;
    bool behind = false;

    for (p--; p > source && !strchr("{}", *p); p--) {
        depth += (*p == ')') - (*p == '(');
        if (depth < 0)
            return behind;
        behind |= *p == ';' && depth == 0;
    }
    return false;
}

/* A function ends where a line begins with its brace. */
static bool is_function_end(const char *source, const char *p)
{
    return *p == '}' && (p == source || p[-1] == '\n');
}

static void add_line(struct origins *o, const char *at)
{
    for (int i = 0; i < o->n; i++)
        if (code_line(o->source, o->at[i]) == code_line(o->source, at))
            return;
    if (o->n < MOST)
        o->at[o->n++] = at;
}

/* From where its value comes, and the names that stand there. */
static void trace(struct origins *o, struct name name, const char *line)
{
    int depth = 0; /* of scopes that are closed again */

    for (const char *p = name.used; p > o->source; p--) {
        const char *value, *end;

        if (is_function_end(o->source, p))
            return;
        depth += (*p == '}') - (*p == '{');
        depth = depth < 0 ? 0 : depth;
        if (depth > 0 || strncmp(p, name.begin, name.n) != 0 ||
            code_is_name(p[name.n]) || code_is_name(p[-1]) ||
            strchr(".>", p[-1]) || !(value = value_of(p, name.n)) ||
            is_step(o->source, p))
            continue;
        end = header_end(o->source, p);
        add_names(o, value, end ? end : value_end(value), p);
        if (code_line(o->source, p) != code_line(o->source, line))
            add_line(o, p);
        return;
    }
}

static struct origins find(const char *source, int line, const char *array)
{
    struct origins o = {.source = source};
    const char *from = line_begin(source, line), *end;

    if (line < 1 || !from)
        return o;
    end = value_end(from);
    end += strcspn(end, ";{");
    add_indices(&o, from, end, array);
    if (o.n_names == 0)
        add_indices(&o, from, end, NULL);
    if (o.n_names == 0 && memchr(from, '(', (size_t)(end - from)))
        add_names(&o, strchr(from, '('), end, from);
    for (int i = 0; i < o.n_names; i++)
        trace(&o, o.names[i], from);
    for (int i = 1; i < o.n; i++) /* in the order of the source */
        for (int j = i; j > 0 && o.at[j] < o.at[j - 1]; j--) {
            const char *at = o.at[j];

            o.at[j] = o.at[j - 1];
            o.at[j - 1] = at;
        }
    return o;
}

static bool read_source(struct text *all, const char *path)
{
    if (!path || !file_read(path, all) || all->n == 0)
        return false;
    code_blank_hidden(all->s);
    return true;
}

/* A line without the comment behind it. */
static void say_code(struct text *text, const char *path, int line)
{
    struct text shown = {0};
    size_t n;

    said_line(&shown, path, path, line);
    n = strcspn(text_get(&shown), "\n");
    for (size_t i = 0; i + 1 < n; i++)
        if (strncmp(shown.s + i, "//", 2) == 0)
            n = i;
    while (n > 0 && isspace((unsigned char)shown.s[n - 1]))
        n--;
    if (n > 0)
        text_add(text, "%.*s\n", (int)n, shown.s);
    text_free(&shown);
}

bool origins_say(struct text *text, const char *path, int line,
                 const char *array)
{
    struct text all = {0};
    struct origins o = {0};

    if (read_source(&all, path))
        o = find(all.s, line, array);
    if (o.n > 0)
        text_add(text, "  its index comes from\n");
    for (int i = 0; i < o.n; i++)
        say_code(text, path, code_line(all.s, o.at[i]));
    text_free(&all);
    return o.n > 0;
}

/* The condition of a loop at p, if it says <=; *n: its length. */
static const char *upto(const char *source, const char *p, size_t *n)
{
    const char *close = header_end(source, p), *from, *sign;

    if (!close)
        return NULL;
    from = memchr(p, ';', (size_t)(close - p));
    if (!from)
        return NULL;
    from = code_skip_space(from + 1);
    *n = strcspn(from, ";");
    sign = memmem(from, *n, "<=", 2);
    return sign && from + *n <= close ? from : NULL;
}

bool origins_advise(struct text *advice, const char *path, int line,
                    const char *array)
{
    struct text all = {0};
    struct origins o = {0};
    const char *condition = NULL;
    size_t n = 0;

    if (read_source(&all, path))
        o = find(all.s, line, array);
    for (int i = 0; i < o.n && !condition; i++) {
        condition = upto(all.s, o.at[i], &n);
        if (condition)
            text_add(advice, "The loop at line %d goes on while `%.*s`, and so "
                     "where the two are equal: is < meant? ",
                     code_line(all.s, o.at[i]), (int)n, condition);
    }
    text_free(&all);
    return condition != NULL;
}
