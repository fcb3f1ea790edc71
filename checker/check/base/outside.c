// SPDX-License-Identifier: MIT
/*
 * outside.c: compilers' words that show the text of another's file; see
 * outside.h.
 *
 * nvcc writes FILE(LINE), the host compiler FILE:LINE, and a folder's name may
 * hold such characters, too: whatever stands before one of them and a digit is
 * taken for a name, and it is one if there is such a file. The words may be
 * quoted lines only while every file that they name may be.
 */
#include "outside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "quote.h"

enum { LINE_SHOWN = 400 };

/* Wherever the toolkit and the host compiler lie. */
static bool is_header(const char *path)
{
    char *real = realpath(path, NULL);
    bool is = real && strstr(real, "/include/");

    free(real);
    return is;
}

struct places {
    const char *source, *scratch;
};

static bool may_show(const char *path, const struct places *own)
{
    return quote_may(own->source, path) || quote_below(path, "/usr") ||
           quote_below(path, own->scratch) || is_header(path);
}

/* line[0 .. n) may be a file's name, behind words as "included from". */
static bool names_other(const char *line, size_t n,
                        const struct places *own, char path[PATH_BYTES])
{
    static const char from[] = "from ";
    char *name = strndup(line, n), *at = name;
    struct stat st;
    bool other = false;

    while (at && !other) {
        at += strspn(at, " \t\"");
        if (strlen(at) < PATH_BYTES && stat(at, &st) == 0 &&
            !S_ISDIR(st.st_mode) && !may_show(at, own)) {
            path_set(path, "%s", at);
            other = true;
        }
        at = strstr(at, from);
        at = at ? at + strlen(from) : NULL;
    }
    free(name);
    return other;
}

static bool line_names_other(const char *line, size_t n,
                             const struct places *own, char path[PATH_BYTES])
{
    for (size_t i = 1; i + 1 < n && i < PATH_BYTES; i++)
        if ((line[i] == '(' || line[i] == ':') &&
            isdigit((unsigned char)line[i + 1]) &&
            names_other(line, i, own, path))
            return true;
    return false;
}

static bool counts(const char *line, size_t n)
{
    static const char ptxas[] = "ptxas info", frame[] = "bytes stack frame";

    return strncmp(line, ptxas, strlen(ptxas)) == 0 ||
           memmem(line, n, frame, strlen(frame));
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

bool outside_hide(struct text *words, const char *source, const char *scratch)
{
    const struct places own = {source, scratch};
    const char *all = text_get(words);
    char path[PATH_BYTES];
    struct text kept = {0};
    bool found = false;

    for (const char *p = all; *p && !found; p = next_line(p))
        found = line_names_other(p, strcspn(p, "\n"), &own, path);
    if (!found)
        return false;
    text_add(&kept, "nvcc speaks of %s, which is neither in the hand-in's "
             "folder nor the workbook's: its words are not shown\n", path);
    for (const char *p = all; *p; p = next_line(p))
        if (counts(p, strcspn(p, "\n")))
            text_add(&kept, "%.*s\n", (int)strcspn(p, "\n"), p);
    text_free(words);
    *words = kept;
    return true;
}

void outside_cut(struct text *out, const char *words)
{
    for (const char *p = words; *p; p = next_line(p)) {
        size_t n = strcspn(p, "\n");

        text_add(out, "%.*s%s\n", n > LINE_SHOWN ? LINE_SHOWN : (int)n, p,
                 n > LINE_SHOWN ? "..." : "");
    }
}
