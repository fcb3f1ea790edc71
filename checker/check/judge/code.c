// SPDX-License-Identifier: MIT
/*
 * code.c: see code.h.
 */
#include "code.h"

#include <ctype.h>
#include <string.h>

bool code_is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

int code_line(const char *source, const char *at)
{
    int line = 1;

    for (; source < at; source++)
        line += *source == '\n';
    return line;
}

const char *code_skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

const char *code_closing(const char *p)
{
    int depth = 0;

    for (; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (depth == 0)
            return p;
    }
    return NULL;
}

bool code_is_plain(const char *from, const char *to)
{
    while (from < to && (code_is_name(*from) || isspace((unsigned char)*from)))
        from++;
    return from == to;
}

static void add_name(struct code_names *to, const char *from, const char *end,
                     bool alone)
{
    char *name = to->name[to->n++];
    const char *begin;
    size_t n;

    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    for (begin = end; begin > from && code_is_name(begin[-1]); begin--)
        ;
    n = (size_t)(end - begin);
    if (n > 0 && n < CODE_NAME_BYTES && (!alone || code_is_plain(from, end)))
        memcpy(name, begin, n);
}

struct code_names code_names(const char *open, const char *close, bool alone)
{
    struct code_names list = {.n = 0};
    const char *from = open + 1;
    int depth = 0;

    for (const char *p = from; p <= close && list.n < CODE_NAMES; p++) {
        if (depth == 0 && (*p == ',' || p == close)) {
            add_name(&list, from, p, alone);
            from = p + 1;
        }
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
    }
    return list;
}

/* Past a string, a character or a comment that begins at p; p: none does. */
static char *past_hidden(char *p)
{
    char quote = *p, *end = p;

    if (strncmp(p, "//", 2) == 0)
        return p + strcspn(p, "\n");
    if (strncmp(p, "/*", 2) == 0) {
        end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (quote != '"' && quote != '\'')
        return p;
    for (end++; *end && *end != '\n' && *end != quote; end++)
        end += *end == '\\' && end[1];
    return end + (*end == quote);
}

/* Comments, strings and characters become spaces; lines stay where they are.
 * The ' of 1'000 begins nothing. */
void code_blank_hidden(char *source)
{
    for (char *p = source, *end; *p;) {
        bool digits = *p == '\'' && p > source && code_is_name(p[-1]);

        end = digits ? p : past_hidden(p);
        if (end == p)
            p++;
        for (; p < end; p++)
            if (*p != '\n')
                *p = ' ';
    }
}
