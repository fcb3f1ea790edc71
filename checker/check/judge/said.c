// SPDX-License-Identifier: MIT
/*
 * said.c: the parts of an accusation's sentences; see said.h.
 */
#include "said.h"

#include <string.h>
#include <unistd.h>

#include "check/base/quote.h"

enum { SOURCE_SHOWN = 100 }; /* bytes of a line */

const char *said_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A path below this folder, from here. */
static const char *from_here(const char *file)
{
    static char here[PATH_BYTES];
    size_t n;

    if (!here[0] && !getcwd(here, sizeof here))
        here[0] = '\0';
    n = strlen(here);
    return n > 0 && strncmp(file, here, n) == 0 && file[n] == '/'
               ? file + n + 1
               : file;
}

/* The compiler's path of the learner's file is shown as the report's, that of a
 * header as a path from here. */
const char *said_file(const struct arrays *a, const char *file)
{
    return strcmp(said_base(file), said_base(a->source)) == 0 ? a->source
                                                              : from_here(file);
}

/* A function that was inlined is called from somewhere. */
void said_place(struct text *t, const json_t *site, const struct arrays *a)
{
    const char *file = finding_str(site, "file");
    const json_t *called = json_object_get(site, "called");
    bool here = called && strcmp(file, finding_str(called, "file")) == 0;

    if (!*file)
        return;
    text_add(t, "%s", said_file(a, file));
    if (finding_num(site, "line") > 0)
        text_add(t, ":%lld", finding_num(site, "line"));
    if (here)
        text_add(t, ", called at line %lld", finding_num(called, "line"));
    else if (called)
        text_add(t, ": called at %s:%lld",
                 said_file(a, finding_str(called, "file")),
                 finding_num(called, "line"));
    text_add(t, ": ");
}

void said_triple(struct text *t, const json_t *array)
{
    text_add(t, "(%lld,%lld,%lld)",
             (long long)json_integer_value(json_array_get(array, 0)),
             (long long)json_integer_value(json_array_get(array, 1)),
             (long long)json_integer_value(json_array_get(array, 2)));
}

void said_who(struct text *t, const json_t *f)
{
    text_add(t, "thread ");
    said_triple(t, json_object_get(f, "thread"));
    text_add(t, " of block ");
    said_triple(t, json_object_get(f, "block"));
}

bool said_line(struct text *t, const char *of, const char *path, long long line)
{
    struct text source = {0};
    long long at = line;
    char *rest;
    bool found = false;

    if (line < 1 || !quote_may(of, path) || !file_read(path, &source))
        return false;
    rest = source.s;
    for (char *s; rest && (s = strsep(&rest, "\n"));)
        if (--at == 0) {
            s += strspn(s, " \t");
            text_add(t, "  %5lld | %.*s%s\n", line, SOURCE_SHOWN, s,
                     strlen(s) > SOURCE_SHOWN ? "..." : "");
            found = true;
            break;
        }
    text_free(&source);
    return found;
}

/* The line of source that the sentence is about, and the call that led to
 * it. */
void said_source(struct text *t, const json_t *site, const struct arrays *a)
{
    const char *file = finding_str(site, "file");
    const json_t *called = json_object_get(site, "called");

    if (*file)
        said_line(t, a->source, said_file(a, file), finding_num(site, "line"));
    if (*file && called)
        said_line(t, a->source, said_file(a, finding_str(called, "file")),
                  finding_num(called, "line"));
}
