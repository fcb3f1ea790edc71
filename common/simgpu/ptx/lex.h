// SPDX-License-Identifier: MIT
/*
 * lex.h: splits PTX text into tokens.
 *
 *   lex_open   starts at the beginning of a text
 *   lex_next   the next token; skips white space and comments
 *
 * Source: the PTX ISA, "Syntax".
 */
#ifndef SIMGPU_LEX_H
#define SIMGPU_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    T_END,
    T_NAME,   /* add, %rd4, $L__BB0_2, _Z3addPf */
    T_DOT,    /* .global, .shared::cluster, .x; text excludes the dot */
    T_INT,    /* bits: the value */
    T_F32,    /* 0f3F800000; bits: the 32 bits */
    T_F64,    /* 0d…, 1.5; bits: the 64 bits */
    T_STRING, /* text excludes the quotes */
    T_PUNCT,  /* punct: the character, or PUNCT_… for two characters */
    T_BAD,    /* an unexpected character or a malformed number */
};

enum { /* above all character codes */
    PUNCT_SHL = 256, PUNCT_SHR, PUNCT_LE, PUNCT_GE, PUNCT_EQ, PUNCT_NE,
    PUNCT_AND, PUNCT_OR,
};

struct token {
    enum token_kind kind;
    int punct;
    const char *text; /* into the PTX: not NUL-terminated */
    size_t length;
    int32_t line;     /* from 1 */
    uint64_t bits;
};

struct lexer {
    const char *at, *end;
    int32_t line;
};

void lex_open(struct lexer *lexer, const char *text, size_t n);
struct token lex_next(struct lexer *lexer);

#endif
