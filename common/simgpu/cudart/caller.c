// SPDX-License-Identifier: MIT
/*
 * caller.c: where the program made the call that failed.
 *
 *   rt_caller   see runtime.h
 *
 * Not the return address alone: nvcc puts functions of its headers, and of its
 * own making, between the program's line and the call. So some frames above
 * this library are named, as far as they are of one file; who reads the file's
 * debug information picks the first one that is the program's (device/
 * host_line.c).
 */
#include "runtime.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 24, FRAMES = 6 };

/* The path of a loaded file; the program's own has no name. */
static bool path_of(const struct link_map *file, char path[PATH_MAX])
{
    return realpath(file->l_name[0] ? file->l_name : "/proc/self/exe", path);
}

static const struct link_map *file_of(const void *at)
{
    Dl_info about;
    struct link_map *file = NULL;
    return dladdr1(at, &about, (void **)&file, RTLD_DL_LINKMAP) ? file : NULL;
}

void rt_caller(char *text, size_t size)
{
    void *frame[DEEP];
    char path[PATH_MAX];
    int n = backtrace(frame, DEEP), k = 0;
    const struct link_map *mine = file_of(frame[0]), *file = NULL;
    size_t end = 0;
    text[0] = '\0';
    while (k < n && file_of(frame[k]) == mine)
        k++;
    if (k < n)
        file = file_of(frame[k]);
    if (!file || !path_of(file, path))
        return;
    for (int last = k + FRAMES; k < n && k < last; k++) {
        if (file_of(frame[k]) != file)
            break;
        end += (size_t)snprintf(text + end, size - end, "%llx ",
                                (unsigned long long)(uintptr_t)frame[k] - 1 -
                                    file->l_addr);
        if (end >= size)
            break;
    }
    if (end + strlen(path) < size)
        memcpy(text + end, path, strlen(path) + 1);
    else
        text[0] = '\0';
}
