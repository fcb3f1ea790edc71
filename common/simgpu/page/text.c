// SPDX-License-Identifier: MIT
/*
 * text.c: the one answer that a page reads at a time. Interface: text.h.
 *
 * A comma is due before a value or key that follows a value, so one bit is all
 * that has to be known of what is open.
 */
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static char *text;
static size_t used, room;
static bool after_value;

static void put(char c)
{
    if (used + 2 > room) {
        room = 2 * room + 256;
        text = realloc(text, room);
        if (!text)
            abort();
    }
    text[used++] = c;
    text[used] = '\0';
}

static void put_all(const char *s)
{
    for (; *s; s++)
        put(*s);
}

static void comma(void)
{
    if (after_value)
        put(',');
    after_value = true;
}

static void open(char c)
{
    comma();
    put(c);
    after_value = false;
}

static void close(char c)
{
    put(c);
    after_value = true;
}

static void quoted(const char *s)
{
    char escaped[8];
    put('"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            put('\\');
        if (c >= ' ') {
            put(*s);
        } else {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            put_all(escaped);
        }
    }
    put('"');
}

void text_begin(void)
{
    used = 0;
    after_value = false;
}

const char *text_end(void)
{
    return text;
}

void text_object(void)
{
    open('{');
}

void text_object_end(void)
{
    close('}');
}

void text_array(void)
{
    open('[');
}

void text_array_end(void)
{
    close(']');
}

void text_key(const char *key)
{
    comma();
    quoted(key);
    put(':');
    after_value = false;
}

void text_string(const char *s)
{
    if (!s) {
        text_null();
        return;
    }
    comma();
    quoted(s);
}

void text_number(int64_t n)
{
    char digits[24];
    comma();
    snprintf(digits, sizeof digits, "%" PRId64, n);
    put_all(digits);
}

void text_truth(bool b)
{
    comma();
    put_all(b ? "true" : "false");
}

void text_null(void)
{
    comma();
    put_all("null");
}
