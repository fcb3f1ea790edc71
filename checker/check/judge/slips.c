// SPDX-License-Identifier: MIT
/*
 * slips.c: a launch with exchanged arguments or with bytes for elements, and an
 * early return the wrong way round; see slips.h.
 *
 * It reads the source as text, and only to choose a sentence: what looks like a
 * slip may be meant, so the sentences ask.
 */
#include "slips.h"

#include <ctype.h>
#include <string.h>

enum { NAMES = 24, NAME_BYTES = 64 };

/* The last name of each part between commas: of "const float *a, int n" a and
 * n. A part that is no name alone, like n * 4, has none: "". */
struct names {
    char name[NAMES][NAME_BYTES];
    int n;
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static int line_of(const char *source, const char *at)
{
    int line = 1;

    for (; source < at; source++)
        line += *source == '\n';
    return line;
}

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* The ) of the ( that p stands on; NULL: there is none. */
static const char *closing(const char *p)
{
    int depth = 0;

    for (; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (depth == 0)
            return p;
    }
    return NULL;
}

static bool is_plain(const char *from, const char *to)
{
    while (from < to && (is_name(*from) || isspace((unsigned char)*from)))
        from++;
    return from == to;
}

static void add_name(struct names *to, const char *from, const char *end,
                     bool alone)
{
    char *name = to->name[to->n++];
    const char *begin;
    size_t n;

    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    for (begin = end; begin > from && is_name(begin[-1]); begin--)
        ;
    n = (size_t)(end - begin);
    if (n > 0 && n < NAME_BYTES && (!alone || is_plain(from, end)))
        memcpy(name, begin, n);
}

/* Of what stands between ( and ). alone: of arguments, not of parameters. */
static struct names names_of(const char *open, const char *close, bool alone)
{
    struct names list = {.n = 0};
    const char *from = open + 1;
    int depth = 0;

    for (const char *p = from; p <= close && list.n < NAMES; p++) {
        if (depth == 0 && (*p == ',' || p == close)) {
            add_name(&list, from, p, alone);
            from = p + 1;
        }
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
    }
    return list;
}

/* The parameters of the kernel of that name. */
static bool find_parameters(const char *source, const char *name, size_t n,
                            struct names *list)
{
    for (const char *p = source; (p = strstr(p, "__global__")); p++) {
        const char *open = strchr(p, '('), *at = open, *close;

        while (at && at > p && !is_name(at[-1]))
            at--;
        if (!at || (size_t)(at - p) <= n || strncmp(at - n, name, n) != 0 ||
            is_name(at[-(long)n - 1]) || !(close = closing(open)))
            continue;
        *list = names_of(open, close, false);
        return true;
    }
    return false;
}

static bool say_exchanged(struct text *advice, int line,
                          const struct names *given, const struct names *taken)
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

/* NAME<<<...>>>(...) at p, which stands on <<<. */
static bool look_at_launch(struct text *advice, const char *source,
                           const char *p)
{
    const char *after = strstr(p, ">>>"), *name, *open, *close;
    struct names given, taken;
    int line;

    open = after ? skip_space(after + strlen(">>>")) : NULL;
    if (!open || *open != '(' || !(close = closing(open)))
        return false;
    line = line_of(source, open);
    if (memmem(open, (size_t)(close - open), "sizeof", strlen("sizeof"))) {
        text_add(advice, "Line %d passes a number of bytes (sizeof) to the "
                 "kernel: does it count elements? ", line);
        return true;
    }
    for (name = p; name > source && is_name(name[-1]); name--)
        ;
    given = names_of(open, close, true);
    return name < p &&
           find_parameters(source, name, (size_t)(p - name), &taken) &&
           say_exchanged(advice, line, &given, &taken);
}

/* Behind a condition: return; at once, or after a comment. */
static bool returns(const char *p)
{
    p = skip_space(p);
    if (strncmp(p, "//", 2) == 0)
        p = skip_space(p + strcspn(p, "\n"));
    if (*p == '{')
        p = skip_space(p + 1);
    return strncmp(p, "return;", strlen("return;")) == 0;
}

/* if (i < n) return; where it should be i >= n. Below 0 is no slip. */
static bool look_at_if(struct text *advice, const char *source, const char *p)
{
    const char *open = strchr(p, '('), *close = open ? closing(open) : NULL;
    size_t n = close ? (size_t)(close - open - 1) : 0;
    const char *less;

    if (!close || n > NAME_BYTES || !returns(close + 1))
        return false;
    less = memmem(open, n, " < ", 3);
    if (!less || memmem(open, n, "||", 2) || !is_name(less[3]) ||
        isdigit((unsigned char)less[3]))
        return false;
    text_add(advice, "Line %d returns if `%.*s`: is that test the wrong way "
             "round? ", line_of(source, p), (int)n, open + 1);
    return true;
}

bool slips_advise(struct text *advice, const char *path)
{
    struct text all = {0};
    bool found = false;

    if (file_read(path, &all)) {
        const char *source = text_get(&all);

        for (const char *p = source; !found && (p = strstr(p, "<<<")); p++)
            found = look_at_launch(advice, source, p);
        for (const char *p = source; !found && (p = strstr(p, "if (")); p++)
            found = look_at_if(advice, source, p);
    }
    text_free(&all);
    return found;
}
