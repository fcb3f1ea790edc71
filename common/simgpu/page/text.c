// SPDX-License-Identifier: MIT
/*
 * text.c: the one answer that a page reads at a time. Interface: text.h.
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *text;
static size_t used, room;

static void grow(size_t n)
{
    if (used + n + 1 <= room)
        return;
    room = 2 * room + n + 1;
    text = realloc(text, room);
    if (!text)
        abort();
}

void text_begin(void)
{
    used = 0;
    grow(0);
    text[0] = '\0';
}

const char *text_end(void)
{
    return text;
}

void text_add(const char *format, ...)
{
    va_list list;
    char one[512];
    va_start(list, format);
    int n = vsnprintf(one, sizeof one, format, list);
    va_end(list);
    if (n < 0 || (size_t)n >= sizeof one)
        abort(); /* what is long goes through text_string */
    grow((size_t)n);
    for (int k = 0; k <= n; k++)
        text[used + (size_t)k] = one[k];
    used += (size_t)n;
}

void text_string(const char *s)
{
    if (!s) {
        text_add("null");
        return;
    }
    text_add("\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            text_add("\\%c", c);
        else if (c < ' ')
            text_add("\\u%04x", c);
        else
            text_add("%c", c);
    }
    text_add("\"");
}
