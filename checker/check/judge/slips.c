// SPDX-License-Identifier: MIT
/*
 * slips.c: a launch with exchanged arguments or with bytes for elements, a test
 * the wrong way round, and a ; behind an if; see slips.h.
 *
 * It reads the source as text, and only to choose a sentence: what looks like a
 * slip may be meant, so the sentences ask. Comments and strings are blanked
 * first.
 */
#include "slips.h"

#include <ctype.h>
#include <string.h>

#include "code.h"
#include "guards.h"

/* The ( behind a kernel's name; p stands on __global__. */
static const char *open_of(const char *p)
{
    static const char bounds[] = "__launch_bounds__";
    const char *open = strchr(p, '('), *at, *close;

    at = open ? memmem(p, (size_t)(open - p), bounds, strlen(bounds)) : NULL;
    if (!at)
        return open;
    close = code_closing(open);
    return close ? strchr(close, '(') : NULL;
}

/* The parameters of the kernel of that name. */
static bool find_parameters(const char *source, const char *name, size_t n,
                            struct code_names *list)
{
    for (const char *p = source; (p = strstr(p, "__global__")); p++) {
        const char *open = open_of(p), *at = open, *close;

        while (at && at > p && !code_is_name(at[-1]))
            at--;
        if (!at || (size_t)(at - p) <= n || strncmp(at - n, name, n) != 0 ||
            code_is_name(at[-(long)n - 1]) || !(close = code_closing(open)))
            continue;
        *list = code_names(open, close, false);
        return true;
    }
    return false;
}

static bool say_exchanged(struct text *advice, int line,
                          const struct code_names *given,
                          const struct code_names *taken)
{
    for (int i = 0; i < given->n; i++)
        for (int j = i + 1; j < given->n && given->n == taken->n; j++) {
            const char *a = given->name[i], *b = given->name[j];

            if (!a[0] || strcmp(a, b) == 0 || strcmp(a, taken->name[j]) != 0 ||
                strcmp(b, taken->name[i]) != 0)
                continue;
            text_add(advice, "Line %d passes %s where the kernel's parameter "
                     "is %s, and %s where it is %s: are the arguments "
                     "exchanged? ", line, a, b, b, a);
            return true;
        }
    return false;
}

/* Bytes, if no sizeof is a divisor: n / (sizeof(int4) / sizeof(int)) and
 * sizeof a / sizeof a[0] count elements. */
static bool passes_bytes(const char *open, const char *close)
{
    static const char word[] = "sizeof";
    const size_t length = sizeof word - 1;
    const char *p = open, *before;
    bool any = false;

    while ((p = memmem(p, (size_t)(close - p), word, length))) {
        for (before = p; isspace((unsigned char)before[-1]) ||
                         (before[-1] == '(' && before - 1 > open);
             before--)
            ;
        if (before[-1] == '/')
            return false;
        any = true;
        p += length;
    }
    return any;
}

/* The arguments of NAME<<<...>>>(...), from ( to ); p stands on <<<. */
static bool find_arguments(const char *p, const char **open,
                           const char **close)
{
    const char *after = strstr(p, ">>>");

    *open = after ? code_skip_space(after + strlen(">>>")) : NULL;
    return *open && **open == '(' && (*close = code_closing(*open));
}

/* Both are known. */
static bool find_names(const char *source, const char *p, const char *open,
                       const char *close, struct code_names *given,
                       struct code_names *taken)
{
    const char *name;

    for (name = p; name > source && code_is_name(name[-1]); name--)
        ;
    *given = code_names(open, close, true);
    return name < p &&
           find_parameters(source, name, (size_t)(p - name), taken);
}

static bool look_at_launch(struct text *advice, const char *source,
                           const char *p)
{
    const char *open, *close;
    struct code_names given, taken;
    int line;

    if (!find_arguments(p, &open, &close))
        return false;
    line = code_line(source, open);
    if (passes_bytes(open, close)) {
        text_add(advice, "Line %d passes a number of bytes (sizeof) to the "
                 "kernel: does it count elements? ", line);
        return true;
    }
    return find_names(source, p, open, close, &given, &taken) &&
           say_exchanged(advice, line, &given, &taken);
}

/* How many arguments are named like the parameter that they are for; -1: one is
 * named like another. */
static int count_in_order(const struct code_names *given,
                          const struct code_names *taken)
{
    int n = 0;

    for (int i = 0; i < given->n; i++)
        for (int j = 0; j < taken->n; j++) {
            if (!given->name[i][0] ||
                strcmp(given->name[i], taken->name[j]) != 0)
                continue;
            if (i != j)
                return -1;
            n++;
        }
    return n;
}

bool slips_in_order(const char *path)
{
    struct text all = {0};
    bool in_order = file_read(path, &all) && all.n > 0;
    int named = 0;

    if (in_order)
        code_blank_hidden(all.s);
    for (const char *p = text_get(&all); in_order && (p = strstr(p, "<<<"));
         p += strlen("<<<")) {
        const char *open, *close;
        struct code_names given, taken;
        int n;

        if (!find_arguments(p, &open, &close) ||
            !find_names(all.s, p, open, close, &given, &taken))
            continue;
        n = count_in_order(&given, &taken);
        in_order = n >= 0;
        named += n > 0;
    }
    text_free(&all);
    return in_order && named > 0;
}

bool slips_advise(struct text *advice, const char *path)
{
    struct text all = {0};
    bool found = false;

    if (file_read(path, &all) && all.n > 0) {
        const char *source = all.s;

        code_blank_hidden(all.s);
        for (const char *p = source; !found && (p = strstr(p, "<<<")); p++)
            found = look_at_launch(advice, source, p);
        found = found || guards_advise(advice, source);
    }
    text_free(&all);
    return found;
}
