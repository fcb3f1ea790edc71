// SPDX-License-Identifier: MIT
/*
 * quote.c: which files' text a report may show; see quote.h.
 *
 * Links are followed first: what counts is where the text lies.
 */
#include "quote.h"

#include <stdlib.h>
#include <string.h>

/* real is a path without links; folder may have some. */
static bool is_below(const char *real, const char *folder)
{
    char *top = realpath(folder, NULL);
    size_t n = top ? strlen(top) : 0;
    bool is;

    while (n > 0 && top[n - 1] == '/')
        n--;
    is = top && strncmp(real, top, n) == 0 && real[n] == '/';
    free(top);
    return is;
}

static bool is_beside(const char *real, const char *source)
{
    const char *slash = strrchr(source, '/');
    char *folder = slash ? strndup(source, (size_t)(slash - source) + 1)
                         : strdup("./");
    char *top = folder ? realpath(folder, NULL) : NULL;
    bool is = top && is_below(real, top) &&
              (!is_below(real, "solutions") || is_below(top, "solutions"));

    free(folder);
    free(top);
    return is;
}

bool quote_may(const char *source, const char *path)
{
    char *real = realpath(path, NULL);
    bool may = real && (is_below(real, "common") || is_beside(real, source));

    free(real);
    return may;
}

bool quote_below(const char *path, const char *folder)
{
    char *real = realpath(path, NULL);
    bool below = real && is_below(real, folder);

    free(real);
    return below;
}
