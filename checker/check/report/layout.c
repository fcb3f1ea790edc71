// SPDX-License-Identifier: MIT
/*
 * layout.c: colour and columns; see layout.h.
 */
#include "layout.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A window narrower than this cuts words. */
enum { NARROWEST = 40 };

int layout_columns(void)
{
    static int known;
    struct winsize size;

    if (known)
        return known;
    known = LAYOUT_WIDEST;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
        size.ws_col < LAYOUT_WIDEST)
        known = size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
    return known;
}

static bool has_colour(void)
{
    static int known = -1;

    if (known < 0) {
        const char *no = getenv("NO_COLOR");
        const char *term = getenv("TERM");

        known = isatty(STDOUT_FILENO) && !(no && *no) && term &&
                strcmp(term, "dumb") != 0;
    }
    return known;
}

void layout_colour(enum style style)
{
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\033[0m",  [STYLE_BOLD] = "\033[1m",
        [STYLE_DIM] = "\033[2m",    [STYLE_GOOD] = "\033[1;32m",
        [STYLE_BAD] = "\033[1;31m", [STYLE_ALMOST] = "\033[1;33m",
    };

    if (has_colour())
        fputs(codes[style], stdout);
}

/* How many of s fit into width, broken at a space; a long path stays whole. */
static size_t fits(const char *s, size_t n, size_t width)
{
    size_t at = width;

    if (n <= width)
        return n;
    while (at > 0 && s[at] != ' ')
        at--;
    while (at == 0 || (at < n && s[at] != ' '))
        at++;
    return at;
}

/* What another program printed may hold anything. */
static void put(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        putchar(s[i] == '\t' ? ' ' : iscntrl((unsigned char)s[i]) ? '?'
                                                                  : s[i]);
}

/* One line behind `first`, continued behind as many blanks. */
static void wrap(const char *first, const char *s, size_t n)
{
    size_t indent = strlen(first);
    size_t width = (size_t)layout_columns() - 1 - indent;

    fputs(first, stdout);
    for (bool more = false; n > 0 || !more; more = true) {
        size_t take = fits(s, n, width);

        if (more)
            printf("%*s", (int)indent, "");
        put(s, take);
        putchar('\n');
        while (take < n && s[take] == ' ')
            take++;
        s += take;
        n -= take;
    }
}

void layout_wrap(const char *label, const char *paragraph)
{
    char first[32];

    snprintf(first, sizeof first, "    %-*s", LABEL_COLUMNS - 4, label);
    wrap(first, paragraph, strlen(paragraph));
}

static void lines_by(void (*print)(const char *, const char *, size_t),
                     const char *indent, const char *lines, size_t most)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");

        if (most-- == 0) {
            printf("%s...\n", indent);
            return;
        }
        print(indent, lines, n);
        lines += n + (lines[n] == '\n');
    }
}

static void unwrapped(const char *indent, const char *s, size_t n)
{
    fputs(indent, stdout);
    put(s, n);
    putchar('\n');
}

void layout_lines(const char *indent, const char *lines, size_t most)
{
    lines_by(wrap, indent, lines, most);
}

void layout_raw(const char *indent, const char *lines, size_t most)
{
    lines_by(unwrapped, indent, lines, most);
}
