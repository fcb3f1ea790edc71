// SPDX-License-Identifier: MIT
/*
 * indexed.c: see indexed.h.
 *
 * The hard idea: a load that the compiler moves has no line of its own. PTX
 * then gives line 0, or what stood there before: often a line of a given header
 * that never touches the array.
 */
#include "indexed.h"

#include <string.h>

#include "check/base/text.h"
#include "code.h"

/* NAME [ at p, where a name begins. */
static bool is_index(const char *source, const char *p, size_t n)
{
    return (p == source || !code_is_name(p[-1])) &&
           *code_skip_space(p + n) == '[';
}

static bool is_in_comment(const char *source, const char *p)
{
    const char *line = p;

    while (line > source && line[-1] != '\n')
        line--;
    return memmem(line, (size_t)(p - line), "//", 2) != NULL;
}

int indexed_line(const char *source_path, const char *name)
{
    struct text source = {0};
    const char *at;
    int found = 0;

    if (!*name || !file_read(source_path, &source)) {
        text_free(&source);
        return 0;
    }
    at = text_get(&source);
    while ((at = strstr(at, name))) {
        int line = code_line(text_get(&source), at);

        if (is_index(text_get(&source), at, strlen(name)) &&
            !is_in_comment(text_get(&source), at) && line != found) {
            if (found) {
                found = 0;
                break;
            }
            found = line;
        }
        at += strlen(name);
    }
    text_free(&source);
    return found;
}

/* NAME[...][...] = or +=: p is behind the name. */
static bool is_stored(const char *p)
{
    for (p = code_skip_space(p); *p == '['; p = code_skip_space(p)) {
        int open = 0;

        do
            open += (*p == '[') - (*p == ']');
        while (*p++ && open > 0);
        if (open > 0)
            return false;
    }
    p += *p && strchr("+-*/", *p) && p[1] == '=';
    return p[0] == '=' && p[1] != '=';
}

int indexed_stores(const char *source_path, const char *name, int *lines,
                   int most)
{
    struct text source = {0};
    int n = 0;

    if (*name && file_read(source_path, &source)) {
        const char *s = text_get(&source);

        for (const char *at = s; n < most && (at = strstr(at, name));
             at += strlen(name))
            if (is_index(s, at, strlen(name)) && !is_in_comment(s, at) &&
                is_stored(at + strlen(name)))
                lines[n++] = code_line(s, at);
    }
    text_free(&source);
    return n;
}
