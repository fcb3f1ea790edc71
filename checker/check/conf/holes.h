// SPDX-License-Identifier: MIT
/*
 * holes.h: the `//> todo NAME (...)` ... `//< todo` marks of a stage.
 *
 *   holes_find          all of a file's holes, in order
 *   holes_first_empty   the first with nothing but comments in it
 *   holes_around        whether a line may be the learner's
 *
 * An empty hole is why a stage does nothing, and its comment's first sentence
 * says what to write there; the verdict names both.
 */
#ifndef CHECK_HOLES_H
#define CHECK_HOLES_H

#include <stdbool.h>

/* The marks, each in a comment of its own. */
#define HOLE_OPENS "//> todo"
#define HOLE_CLOSES "//< todo"

/* A file has one to three holes; more would be no exercise but a rewrite. */
enum { HOLES_MAX = 8 };

struct hole {
    char name[64];
    int line;           /* of its opening mark, from 1 */
    int last_line;      /* of its closing mark; 0: there is none */
    bool empty;         /* blanks and comments only */
    char comment[320];  /* first sentence of its comments */
};

/* Number of holes, or -1 when the file cannot be read. */
int holes_find(const char *path, struct hole holes[HOLES_MAX]);
bool holes_first_empty(const char *path, struct hole *hole);
/* Is the line in a hole? A file without holes is the learner's own. */
bool holes_around(const char *path, int line);

#endif
