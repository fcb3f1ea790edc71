// SPDX-License-Identifier: MIT
/*
 * hints.c: see hints.h.
 *
 * It reads the source as text. Such a line may well be right, so a hint says
 * what the line does, which is true of any, and what it would be wrong for.
 */
#include "hints.h"

#include <ctype.h>
#include <string.h>

#include "code.h"

/* The last argument of a call: from the comma on to its ). */
static const char *last_argument(const char *open, const char *close)
{
    const char *last = NULL;
    int depth = 0;

    for (const char *p = open; p < close; p++) {
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        if (*p == ',' && depth == 1)
            last = p + 1;
    }
    return last ? code_skip_space(last) : NULL;
}

/* CONDITION ? BYTES : 0 for the bytes that are filled with 0. A condition that
 * is negated may be meant so. */
static bool look_at_filling(struct text *advice, const char *source)
{
    static const char call[] = "__pipeline_memcpy_async";

    for (const char *p = source; (p = strstr(p, call)); p++) {
        const char *open = code_skip_space(p + strlen(call));
        const char *close = *open == '(' ? code_closing(open) : NULL;
        const char *from = close ? last_argument(open, close) : NULL;
        const char *then = from ? memchr(from, '?', (size_t)(close - from))
                                : NULL;
        const char *other = then ? memchr(then, ':', (size_t)(close - then))
                                 : NULL;

        if (!other || *code_skip_space(then + 1) == '0' ||
            *code_skip_space(other + 1) != '0' ||
            memchr(from, '!', (size_t)(then - from)) ||
            memmem(from, (size_t)(then - from), ">=", 2))
            continue;
        while (isspace((unsigned char)then[-1]))
            then--;
        text_add(advice, "The copy at line %d brings zeros where `%.*s`: the "
                 "last argument of %s is the number of bytes that are not "
                 "copied, but set to 0. Is it the other way round? ",
                 code_line(source, from), (int)(then - from), from, call);
        return true;
    }
    return false;
}

static bool look_at_shuffle(struct text *advice, const char *source)
{
    const char *p = strstr(source, "__shfl_down_sync");

    if (!p)
        return false;
    text_add(advice, "After __shfl_down_sync (line %d) only the first lane "
             "holds a whole sum, since the last ones get no other lane's "
             "value. Do other lanes use theirs, or are two lanes to exchange "
             "what they have? That is __shfl_xor_sync. ", code_line(source, p));
    return true;
}

static bool look_at_box(struct text *advice, const char *source)
{
    const char *p = strstr(source, "tensor_load(");

    if (!p)
        return false;
    text_add(advice, "Where does each box begin (line %d)? The first "
             "coordinate is the one that runs fastest in memory: k of A, the "
             "column of B. ", code_line(source, p));
    return true;
}

static bool read_source(struct text *all, const char *path)
{
    if (!path || !file_read(path, all) || all->n == 0)
        return false;
    code_blank_hidden(all->s);
    return true;
}

bool hints_wrong(struct text *advice, const char *path)
{
    struct text all = {0};
    bool found = read_source(&all, path) &&
                 (look_at_filling(advice, all.s) ||
                  look_at_shuffle(advice, all.s) || look_at_box(advice, all.s));

    text_free(&all);
    return found;
}

/* TYPE *NAME, as it is declared, and no product. */
static bool is_pointer(const char *source, const char *name, size_t n)
{
    for (const char *p = source; (p = strchr(p, '*')); p++) {
        const char *at = p + 1, *before = p;

        while (before > source && isspace((unsigned char)before[-1]))
            before--;
        if (strncmp(at, name, n) != 0 || code_is_name(at[n]) ||
            before == source || before == p || !code_is_name(before[-1]) ||
            isdigit((unsigned char)before[-1]))
            continue;
        at = code_skip_space(at + n);
        if (*at && strchr(",;)=", *at))
            return true;
    }
    return false;
}

bool hints_sizeof(struct text *advice, const char *path)
{
    static const char word[] = "sizeof";
    struct text all = {0};
    bool found = false;

    for (const char *p = read_source(&all, path) ? all.s : "";
         !found && (p = strstr(p, word)); p++) {
        const char *name = code_skip_space(p + strlen(word));
        size_t n = 0;

        if (*name == '(')
            name = code_skip_space(name + 1);
        while (code_is_name(name[n]))
            n++;
        found = n > 0 && is_pointer(all.s, name, n);
        if (found)
            text_add(advice, "sizeof %.*s, on line %d, is the size of a "
                     "pointer: 8 bytes, whatever it points to. Is sizeof *%.*s "
                     "meant? ", (int)n, name, code_line(all.s, p), (int)n,
                     name);
    }
    text_free(&all);
    return found;
}
