// SPDX-License-Identifier: MIT
/*
 * unfilled.c: see unfilled.h.
 *
 * It reads the source as text, and only to choose a sentence.
 */
#include "unfilled.h"

#include <string.h>

/* Where the kernel stands: in the function that was called, or its caller. */
static long long line_of(const json_t *f)
{
    const json_t *called = json_object_get(f, "called");

    return finding_num(called ? called : f, "line");
}

/* The first line between a kernel's head and that line on which threads return,
 * or 0. */
static int line_of_return(const char *path, long long line)
{
    struct text source = {0};
    int found = 0, at = 0;
    char *rest;

    file_read(path, &source);
    rest = source.s;
    for (char *s; rest && (s = strsep(&rest, "\n")) && ++at < line;) {
        char *comment = strstr(s, "//"), *leaves = strstr(s, "return;");

        if (strstr(s, "__global__"))
            found = 0;
        if (!found && leaves && (!comment || leaves < comment))
            found = at;
    }
    text_free(&source);
    return found;
}

static long long threads_of(const json_t *launch)
{
    const json_t *block = json_object_get(launch, "block"), *extent;
    long long n = 1;
    size_t i;

    json_array_foreach(block, i, extent)
        n *= (long long)json_integer_value(extent);
    return n;
}

void unfilled_advise(struct text *advice, const json_t *f,
                     const struct arrays *a)
{
    int leaves = line_of_return(a->source ? a->source : "", line_of(f));

    text_add(advice, "Which thread was to write that element? ");
    if (leaves)
        text_add(advice, "Those that return on line %d write nothing: let all "
                 "threads fill the array, and put the `if` around the result's "
                 "store. ", leaves);
    if (a->launch)
        text_add(advice, "A block has %lld thread%s here: ",
                 threads_of(a->launch),
                 threads_of(a->launch) == 1 ? "" : "s");
    text_add(advice, "%s too few, or does an `if` or the end of a loop keep "
             "one out? If none was to, the index on this line is off.",
             a->launch ? "are they" : "Are they");
}
