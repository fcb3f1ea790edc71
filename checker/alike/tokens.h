// SPDX-License-Identifier: MIT
/*
 * tokens.h: a C or CUDA source as tokens, without comments, layout and names.
 *
 *   tokens_read       splits a file, with the files beside it that it includes,
 *                     and what its macros stand for (macros.c)
 *   tokens_free
 *   tokens_form       the tokens as one text in which the author's own names
 *                     are numbered as they appear: equal texts, the same code
 *   tokens_kinds      a hash per token that forgets names and numbers
 */
#ifndef CHECKER_ALIKE_TOKENS_H
#define CHECKER_ALIKE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK };

struct token {
    enum token_kind kind;
    const char *at;
    int length;
    bool member; /* behind . or ->: a name of another kind */
    bool inside; /* of a hole */
    bool first;  /* of its line */
};

struct tokens {
    struct token *token;
    int n, n_inside, room;
    char **text, **path; /* of each file */
    int files;
    int depth; /* of literals that are open */
    size_t searched;
    bool all_beside; /* they are read */
    bool spent;      /* it is too much for the limits in tokens.c */
};

/* False: the file cannot be read, or is too much. What is not C is split all
 * the same. */
bool tokens_read(struct tokens *t, const char *path);
void tokens_free(struct tokens *t);
void tokens_add(struct tokens *t, const struct token *token);

/* Of all tokens, or of those inside holes. fixed: its words outside holes keep
 * their names, because the hole cannot choose them; NULL: none do. The caller
 * frees the text, which is "" without tokens. */
char *tokens_form(const struct tokens *t, bool inside,
                  const struct tokens *fixed);

/* hash: room for t->n. */
void tokens_kinds(const struct tokens *t, uint64_t *hash);

#endif
