// SPDX-License-Identifier: MIT
/*
 * holes.c: finds the learner's holes in a source; see holes.h.
 *
 * Line by line: a hole is empty until a line inside it holds something that
 * is not a comment.
 */
#include "holes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "check/base/text.h"

static const char open_mark[] = HOLE_OPENS;
static const char close_mark[] = HOLE_CLOSES;

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static void copy_word(char *to, size_t size, const char *from)
{
    size_t n = 0;

    while (*from == ' ')
        from++;
    while (from[n] && !isspace((unsigned char)from[n]) && n + 1 < size)
        n++;
    memcpy(to, from, n);
    to[n] = '\0';
}

/* Ends a sentence; until then the next comment line goes on with it. */
static bool is_sentence(const char *s)
{
    size_t n = strlen(s);

    return n > 0 && strchr(".:!", s[n - 1]);
}

/* "// Write this." -> "Write this."; a block comment's frame goes too. An
 * empty comment line ends the sentence as well as a full stop. */
static void copy_comment(struct hole *hole, const char *line, bool *closed)
{
    size_t had = strlen(hole->comment);
    const char *end;
    size_t n;

    line += strspn(line, "/*! \t");
    n = strcspn(line, "\r\n");
    if ((end = strstr(line, "*/")) && (size_t)(end - line) < n)
        n = (size_t)(end - line);
    while (n > 0 && strchr(" */", line[n - 1]))
        n--;
    if (!*closed && n > 0)
        snprintf(hole->comment + had, sizeof hole->comment - had, "%s%.*s",
                 had ? " " : "", (int)n, line);
    *closed |= is_sentence(hole->comment) || (n == 0 && had > 0);
}

/* Follows block comments over lines. Returns whether the line holds code. */
static bool holds_code(const char *p, bool *in_block)
{
    while (*p) {
        if (*in_block) {
            const char *end = strstr(p, "*/");

            if (!end)
                return false;
            *in_block = false;
            p = end + 2;
        } else if (isspace((unsigned char)*p)) {
            p++;
        } else if (starts(p, "//")) {
            return false;
        } else if (starts(p, "/*")) {
            *in_block = true;
            p += 2;
        } else {
            return true;
        }
    }
    return false;
}

static void inside(struct hole *hole, const char *line, bool *in_block,
                   bool *closed)
{
    bool comment = *in_block || starts(line, "//") || starts(line, "/*");

    if (comment)
        copy_comment(hole, line, closed);
    if (holds_code(line, in_block))
        hole->empty = false;
}

int holes_find(const char *path, struct hole holes[HOLES_MAX])
{
    struct text source = {0};
    struct hole *open = NULL;
    bool in_block = false, closed = false;
    int n = 0, number = 0;
    char *rest;

    if (!file_read(path, &source)) {
        text_free(&source);
        return -1;
    }
    rest = source.s;
    for (char *line; rest && (line = strsep(&rest, "\n"));) {
        number++;
        line += strspn(line, " \t");
        if (starts(line, open_mark) && n < HOLES_MAX) {
            open = &holes[n++];
            *open = (struct hole){.line = number, .empty = true};
            copy_word(open->name, sizeof open->name, line + strlen(open_mark));
            in_block = closed = false;
        } else if (starts(line, close_mark)) {
            if (open)
                open->last_line = number;
            open = NULL;
        } else if (open) {
            inside(open, line, &in_block, &closed);
        }
    }
    text_free(&source);
    return n;
}

bool holes_first_empty(const char *path, struct hole *hole)
{
    struct hole holes[HOLES_MAX];
    int n = holes_find(path, holes);

    for (int i = 0; i < n; i++)
        if (holes[i].empty) {
            *hole = holes[i];
            return true;
        }
    return false;
}

bool holes_around(const char *path, int line)
{
    struct hole holes[HOLES_MAX];
    int n = holes_find(path, holes);

    for (int i = 0; i < n; i++)
        if (holes[i].line < line &&
            (line < holes[i].last_line || holes[i].last_line == 0))
            return true;
    return n <= 0;
}
