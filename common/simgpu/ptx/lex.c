// SPDX-License-Identifier: MIT
/*
 * lex.c: splits PTX text into tokens.
 *
 *   lex_open, lex_next
 *
 * The one difficulty: a dot may belong to a number (9.0), to a suffix (.u32)
 * or to a special register (%tid.x). A dot within a number and before a digit
 * is part of the number; every other dot begins a T_DOT token.
 */
#include "lex.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FLOAT_TEXT = 64 }; /* characters of a decimal float */

void lex_open(struct lexer *lexer, const char *text, size_t n)
{
    lexer->at = text;
    lexer->end = text + n;
    lexer->line = 1;
}

/* The character k places ahead; NUL past the end. */
static char look(const struct lexer *l, size_t k)
{
    return (size_t)(l->end - l->at) > k ? l->at[k] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$';
}

static bool in_name(char c)
{
    return starts_name(c) || is_digit(c);
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static void skip_line(struct lexer *l)
{
    while (l->at < l->end && *l->at != '\n')
        l->at++;
}

static void skip_comment(struct lexer *l)
{
    l->at += 2;
    while (l->at < l->end && !(look(l, 0) == '*' && look(l, 1) == '/')) {
        if (*l->at == '\n')
            l->line++;
        l->at++;
    }
    l->at = l->end - l->at >= 2 ? l->at + 2 : l->end;
}

static void skip_blanks(struct lexer *l)
{
    while (l->at < l->end) {
        char c = *l->at;
        if (c == '/' && look(l, 1) == '/')
            skip_line(l);
        else if (c == '/' && look(l, 1) == '*')
            skip_comment(l);
        else if (c == '\n')
            l->line++, l->at++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\f')
            l->at++;
        else
            return;
    }
}

static struct token token_from(const struct lexer *l, enum token_kind kind)
{
    return (struct token){.kind = kind, .text = l->at, .line = l->line};
}

static void end_token(const struct lexer *l, struct token *t)
{
    t->length = (size_t)(l->at - t->text);
}

static struct token name(struct lexer *l)
{
    struct token t = token_from(l, T_NAME);
    l->at++; /* % or a letter */
    while (in_name(look(l, 0)))
        l->at++;
    end_token(l, &t);
    return t;
}

static struct token dot(struct lexer *l)
{
    l->at++;
    struct token t = token_from(l, T_DOT);
    while (in_name(look(l, 0)) ||
           (look(l, 0) == ':' && look(l, 1) == ':' && in_name(look(l, 2))))
        l->at += look(l, 0) == ':' ? 2 : 1;
    end_token(l, &t);
    if (t.length == 0)
        t.kind = T_BAD, t.text--, t.length = 1;
    return t;
}

/* A NUL or the end of the text within the quotes gives T_BAD. */
static struct token string(struct lexer *l)
{
    l->at++;
    struct token t = token_from(l, T_STRING);
    while (l->at < l->end && *l->at != '"' && *l->at != '\n')
        l->at += *l->at == '\\' && look(l, 1) != '\n' && look(l, 1) ? 2 : 1;
    end_token(l, &t);
    if (look(l, 0) == '"')
        l->at++;
    else
        t.kind = T_BAD;
    return t;
}

/* Digits of base 2, 8, 10 or 16; false: no digit, or overflow. */
static bool digits(struct lexer *l, unsigned base, uint64_t *value)
{
    const char *first = l->at;
    bool fits = true;
    *value = 0;
    for (unsigned d; (d = (unsigned)hex_digit(look(l, 0))) < base; l->at++) {
        fits = fits && *value <= (UINT64_MAX - d) / base;
        *value = *value * base + d;
    }
    return fits && l->at > first;
}

/* 0f and 0d: exactly the hexadecimal digits of the value's bits. */
static bool float_bits(struct lexer *l, int count, uint64_t *bits)
{
    const char *first = l->at;
    return digits(l, 16, bits) && l->at - first == count;
}

static bool decimal_float(struct lexer *l, const char *first, uint64_t *bits)
{
    while (is_digit(look(l, 0)) || look(l, 0) == '.')
        l->at++;
    if (look(l, 0) == 'e' || look(l, 0) == 'E') {
        l->at++;
        if (look(l, 0) == '+' || look(l, 0) == '-')
            l->at++;
        while (is_digit(look(l, 0)))
            l->at++;
    }
    char text[MAX_FLOAT_TEXT];
    size_t n = (size_t)(l->at - first);
    if (n >= sizeof text)
        return false;
    memcpy(text, first, n);
    text[n] = '\0';
    char *stop;
    double value = strtod(text, &stop);
    memcpy(bits, &value, sizeof value);
    return *stop == '\0';
}

static bool decimal(struct lexer *l, struct token *t)
{
    bool octal = look(l, 0) == '0' && is_digit(look(l, 1));
    bool ok = digits(l, octal ? 8 : 10, &t->bits);
    char c = look(l, 0);
    if ((c == '.' && is_digit(look(l, 1))) || c == 'e' || c == 'E') {
        t->kind = T_F64;
        return decimal_float(l, t->text, &t->bits);
    }
    return ok;
}

static struct token number(struct lexer *l)
{
    struct token t = token_from(l, T_INT);
    char prefix = look(l, 0) == '0' ? look(l, 1) : '\0';
    bool ok;
    if (prefix && strchr("xXbBfFdD", prefix))
        l->at += 2;
    switch (prefix) {
    case 'x': case 'X':
        ok = digits(l, 16, &t.bits);
        break;
    case 'b': case 'B':
        ok = digits(l, 2, &t.bits);
        break;
    case 'f': case 'F':
        t.kind = T_F32;
        ok = float_bits(l, 8, &t.bits);
        break;
    case 'd': case 'D':
        t.kind = T_F64;
        ok = float_bits(l, 16, &t.bits);
        break;
    default:
        ok = decimal(l, &t);
    }
    if (t.kind == T_INT && (look(l, 0) == 'U' || look(l, 0) == 'u'))
        l->at++;
    for (; in_name(look(l, 0)); l->at++)
        ok = false;
    end_token(l, &t);
    if (!ok)
        t.kind = T_BAD;
    return t;
}

static const struct {
    char text[3];
    int punct;
} two_characters[] = {
    {"<<", PUNCT_SHL}, {">>", PUNCT_SHR}, {"<=", PUNCT_LE}, {">=", PUNCT_GE},
    {"==", PUNCT_EQ},  {"!=", PUNCT_NE},  {"&&", PUNCT_AND}, {"||", PUNCT_OR},
};

static struct token punct(struct lexer *l)
{
    struct token t = token_from(l, T_PUNCT);
    char a = look(l, 0), b = look(l, 1);
    t.punct = (unsigned char)a;
    for (size_t i = 0; i < sizeof two_characters / sizeof *two_characters; i++)
        if (two_characters[i].text[0] == a && two_characters[i].text[1] == b)
            t.punct = two_characters[i].punct;
    if (t.punct < 256 && !(a && strchr("{}()[]<>,;:@!|&^~?+-*/%=", a)))
        t.kind = T_BAD;
    l->at += t.punct < 256 ? 1 : 2;
    end_token(l, &t);
    return t;
}

struct token lex_next(struct lexer *l)
{
    skip_blanks(l);
    if (l->at >= l->end)
        return token_from(l, T_END);
    char c = *l->at;
    if (starts_name(c) || (c == '%' && starts_name(look(l, 1))))
        return name(l);
    if (c == '.')
        return dot(l);
    if (is_digit(c))
        return number(l);
    if (c == '"')
        return string(l);
    return punct(l);
}
