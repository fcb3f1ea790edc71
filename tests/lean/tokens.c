// SPDX-License-Identifier: MIT
/*
 * tokens.c: see tokens.h.
 */
#include "tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token *tokens_list;
int tokens_n;

void *tokens_room(void *array, int n, size_t size)
{
    if ((n & (n - 1)) == 0)
        array = realloc(array, (n ? 2 * (size_t)n : 1) * size);
    if (!array)
        exit(1);
    return array;
}

bool token_is(const struct token *t, const char *word)
{
    size_t n = (size_t)t->n;

    return memcmp(t->s, word, n) == 0 && !word[n];
}

bool token_is_one_of(const struct token *t, const char *const *words)
{
    while (*words && !token_is(t, *words))
        words++;
    return *words != NULL;
}

/* Where CUDA's headers lie, which are no system headers to g++. */
static char cuda[4096];

static void find_cuda(const char *text)
{
    const char *end = strstr(text, "/cuda_runtime.h\""), *name = end;

    while (name && *name != '"')
        name--;
    if (name && (size_t)(end - name) < sizeof cuda)
        snprintf(cuda, sizeof cuda, "%.*s/", (int)(end - name - 1), name + 1);
}

/* Of a line like `# 33 "/usr/include/stdio.h" 3 4`. */
static bool is_header(const char *mark)
{
    const char *name = strchr(mark, '"');

    if (!name)
        return false;
    if (cuda[0] && strncmp(name + 1, cuda, strlen(cuda)) == 0)
        return true;
    name = strchr(name + 1, '"');
    return name && strcspn(name, "3") < strcspn(name, "\n");
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The end of the quotation that begins at s. */
static const char *after_quotes(const char *s)
{
    char quote = *s++;

    while (*s && *s != quote)
        s += *s == '\\' && s[1] ? 2 : 1;
    return *s ? s + 1 : s;
}

/* That of R"x(...)x", whose quote is at s. */
static const char *after_raw(const char *s)
{
    char close[32];
    int n = (int)strcspn(s + 1, "(");
    const char *end;

    snprintf(close, sizeof close, ")%.*s\"", n < 20 ? n : 20, s + 1);
    end = strstr(s, close);
    return end ? end + strlen(close) : s + strlen(s);
}

static void add_token(struct token t)
{
    tokens_list = tokens_room(tokens_list, tokens_n, sizeof *tokens_list);
    tokens_list[tokens_n++] = t;
}

static const char *read_token(const char *s, struct token *t)
{
    const char *from = s;

    if (isalpha((unsigned char)*s) || *s == '_' || *s == '$') {
        while (in_name(*s))
            s++;
        t->kind = 'a';
        if (*s == '"' && s[-1] == 'R')
            s = after_raw(s), t->kind = '1';
        else if (*s == '"' || *s == '\'')
            s = after_quotes(s), t->kind = '1';
    } else if (isdigit((unsigned char)*s)) {
        while (in_name(*s) || *s == '.' ||
               (*s == '\'' && in_name(s[1])))
            s++;
        t->kind = '1';
    } else if (*s == '"' || *s == '\'') {
        s = after_quotes(s);
        t->kind = '1';
    } else {
        t->kind = *s++;
    }
    t->s = from;
    t->n = (int)(s - from);
    return s;
}

void tokens_read(const char *s)
{
    const char *from;
    struct token t = {.mark = "# 1 \"\"\n", .line = 1};
    bool line_begins = true;

    find_cuda(s);
    while (*s) {
        if (*s == '\n') {
            t.line++;
            s++;
            line_begins = true;
        } else if (isspace((unsigned char)*s)) {
            s++;
        } else if (*s == '#' && line_begins) {
            if (s[1] == ' ' && isdigit((unsigned char)s[2])) {
                t.mark = s;
                t.line = atoi(s + 2) - 1;
                t.header = is_header(s);
            } else {
                t.kind = '#';
                t.s = s;
                t.n = (int)strcspn(s, "\n");
                add_token(t);
            }
            s += strcspn(s, "\n");
        } else {
            line_begins = false;
            from = s;
            s = read_token(s, &t);
            add_token(t);
            for (; from < s; from++)
                t.line += *from == '\n';
        }
    }
}

