// SPDX-License-Identifier: MIT
/*
 * reader.c: the common base of the PTX reader's parts: tokens, memory, errors.
 *
 *   reader_fail, reader_expected
 *   reader_alloc, reader_grow
 *   reader_next, reader_is…, reader_take…, reader_expect, reader_name,
 *   reader_int, reader_skip_past, reader_func, reader_bind
 */
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reader_fail(struct reader *r, const char *format, ...)
{
    int n = snprintf(r->error, r->error_size, "PTX line %d: ", r->token.line);
    if (n >= 0 && (size_t)n < r->error_size) {
        va_list list;
        va_start(list, format);
        vsnprintf(r->error + n, r->error_size - (size_t)n, format, list);
        va_end(list);
    }
    longjmp(r->failed, 1);
}

enum { SHOWN_TOKEN = 60 }; /* characters of a token in a message */

void reader_expected(struct reader *r, const char *what)
{
    const struct token *t = &r->token;
    if (t->kind == T_END)
        reader_fail(r, "expected %s, found the end of the text", what);
    size_t n = t->length < SHOWN_TOKEN ? t->length : SHOWN_TOKEN;
    char text[SHOWN_TOKEN + 1];
    for (size_t i = 0; i < n; i++) /* replaces unprintable bytes */
        text[i] = t->text[i] >= ' ' && t->text[i] <= '~' ? t->text[i] : '?';
    text[n] = '\0';
    reader_fail(r, "expected %s, found '%s%s'", what,
                t->kind == T_DOT ? "." : "", text);
}

void *reader_alloc(struct reader *r, size_t count, size_t size)
{
    void *p = arena_alloc(r->arena, count, size);
    if (!p)
        reader_fail(r, "out of memory");
    return p;
}

void *reader_grow(struct reader *r, void *array, size_t n, size_t *capacity,
                  size_t size)
{
    if (n < *capacity)
        return array;
    if (n >= INT32_MAX / 2)
        reader_fail(r, "too many elements");
    *capacity = n < 16 ? 32 : n * 2;
    void *larger = reader_alloc(r, *capacity, size);
    if (n)
        memcpy(larger, array, n * size);
    return larger;
}

void reader_next(struct reader *r)
{
    r->token = lex_next(&r->lexer);
}

bool reader_is(const struct reader *r, int punct)
{
    return r->token.kind == T_PUNCT && r->token.punct == punct;
}

bool reader_is_dot(const struct reader *r, const char *text)
{
    return r->token.kind == T_DOT && r->token.length == strlen(text) &&
           memcmp(r->token.text, text, r->token.length) == 0;
}

bool reader_take(struct reader *r, int punct)
{
    bool taken = reader_is(r, punct);
    if (taken)
        reader_next(r);
    return taken;
}

bool reader_take_dot(struct reader *r, const char *text)
{
    bool taken = reader_is_dot(r, text);
    if (taken)
        reader_next(r);
    return taken;
}

void reader_expect(struct reader *r, char punct)
{
    if (!reader_take(r, punct))
        reader_expected(r, (char[]){'\'', punct, '\'', '\0'});
}

struct name *reader_intern(struct reader *r, struct token token)
{
    struct name *name = names_intern(&r->names, token.text, token.length);
    if (!name)
        reader_fail(r, "out of memory");
    return name;
}

struct name *reader_name(struct reader *r, const char *what)
{
    if (r->token.kind != T_NAME)
        reader_expected(r, what);
    struct name *name = reader_intern(r, r->token);
    reader_next(r);
    return name;
}

int64_t reader_int(struct reader *r, const char *what, int64_t low,
                   int64_t high)
{
    if (r->token.kind != T_INT)
        reader_expected(r, what);
    if (r->token.bits > INT64_MAX || (int64_t)r->token.bits < low ||
        (int64_t)r->token.bits > high)
        reader_fail(r, "%s is outside %lld to %lld", what, (long long)low,
                    (long long)high);
    int64_t value = (int64_t)r->token.bits;
    reader_next(r);
    return value;
}

void reader_skip_past(struct reader *r, char punct)
{
    while (r->token.kind != T_END && !reader_is(r, punct))
        reader_next(r);
    reader_expect(r, punct);
}

struct ptx_func *reader_func(struct reader *r)
{
    return &r->module->funcs[r->func];
}

struct binding *reader_bind(struct reader *r, struct name *name,
                            enum binding_kind kind, int32_t index)
{
    if (names_here(&r->names, name))
        reader_fail(r, "%s is declared twice", name->text);
    struct binding *b = names_bind(&r->names, name, kind, index);
    if (!b)
        reader_fail(r, "out of memory");
    return b;
}
