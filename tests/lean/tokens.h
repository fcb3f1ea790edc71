// SPDX-License-Identifier: MIT
/*
 * tokens.h: the text that g++ -E writes, as tokens that know their line.
 */
#ifndef LEAN_TOKENS_H
#define LEAN_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

struct token {
    const char *s;
    int n;
    char kind;        /* 'a' a name, '1' a number or a string, '#' a directive,
                         or the character itself */
    bool header;      /* of a header of the system's, or of CUDA's */
    int line;         /* as its file counts */
    const char *mark; /* the line `# 33 "file" 3` that named the file */
};

extern struct token *tokens_list;
extern int tokens_n;

/* text ends with a zero, begins behind a '\n', and stays. */
void tokens_read(const char *text);

bool token_is(const struct token *t, const char *word);
bool token_is_one_of(const struct token *t, const char *const *words);

/* Room for one more element in an array of n; exits without memory. */
void *tokens_room(void *array, int n, size_t size);

#endif
