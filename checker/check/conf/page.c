// SPDX-License-Identifier: MIT
/*
 * page.c: what is written in a `page` of chapter.conf. Interface: page.h.
 * book/kernels/make.sh reads the same; check only refuses slips.
 */
#include "page.h"

#include <stdio.h>
#include <string.h>

/* "B 1 2*" adds "B2", the size with the star, to the shape. */
static bool add_size(char *shape, size_t room, char *dim)
{
    char *name = strsep(&dim, " ");
    bool chosen = false;

    for (char *size; (size = strsep(&dim, " "));) {
        size_t digits = strspn(size, "0123456789"), used = strlen(shape);
        bool star = strcmp(size + digits, "*") == 0;

        if (!digits || (size[digits] && !star) || (star && chosen))
            return false;
        if (!star)
            continue;
        chosen = true;
        int n = snprintf(shape + used, room - used, "%s%s%.*s",
                         used ? " " : "", name, (int)digits, size);
        if (n < 0 || (size_t)n >= room - used)
            return false;
    }
    return chosen;
}

bool page_first(const char *value, char *shape, size_t room)
{
    char list[128], *rest = list;
    const char *sizes = strstr(value, ": ");

    if (!sizes || sizes == value)
        return false;
    sizes += 2;
    const char *edit = strstr(sizes, ": ");
    size_t n = edit ? (size_t)(edit - sizes) : strlen(sizes);
    if (n >= sizeof list)
        return false;
    memcpy(list, sizes, n);
    list[n] = '\0';
    shape[0] = '\0';
    for (char *dim; (dim = strsep(&rest, ";"));)
        if (!add_size(shape, room, dim))
            return false;
    return true;
}
