// SPDX-License-Identifier: MIT
/*
 * caller.c: where the program is.
 *
 *   rt_frames   addresses of the functions that are under way
 *   rt_caller   the program's ones among them, for the device: see runtime.h
 *
 * One address would not do: nvcc puts functions of its headers, and of its own
 * making, between the program's line and a call. So some frames are named, as
 * far as they are of one file; who reads the file's debug information picks
 * the first one that is the program's (device/host_line.c).
 */
#include "runtime.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6 };

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

static bool is_libc(const struct link_map *file)
{
    return strstr(file->l_name, "/libc.so") ||
           strstr(file->l_name, "/libc-") ||
           strstr(file->l_name, "/libstdc++");
}

struct rt_frames rt_frames(void)
{
    struct rt_frames f;
    f.n = backtrace(f.at, RT_FRAMES);
    f.first = 0;
    return f;
}

/* The first frame that is neither this library's nor libc's. */
static int skip(const struct rt_frames *f)
{
    static const char here[1];
    const struct link_map *mine = file_of(here), *file;
    int k = f->first;
    bool exact = k > 0; /* that very instruction, and not a call's return */
    for (; k < f->n && (file = file_of(f->at[k])); k++)
        if (!is_libc(file) && (exact || file != mine))
            return file == mine ? f->n : k;
    return f->n;
}

bool rt_caller(const struct rt_frames *f, char *text, size_t size)
{
    char path[PATH_MAX];
    int k = skip(f), last = k + MOST;
    const struct link_map *file = k < f->n ? file_of(f->at[k]) : NULL;
    size_t end = 0;
    text[0] = '\0';
    if (!file || !path_of(file, path))
        return false;
    for (; k < f->n && k < last && file_of(f->at[k]) == file; k++) {
        uintptr_t at = (uintptr_t)f->at[k] - file->l_addr;
        bool exact = f->first && k == f->first;
        end += (size_t)snprintf(text + end, size - end, "%llx ",
                                (unsigned long long)(exact ? at : at - 1));
        if (end >= size)
            break;
    }
    if (end + strlen(path) < size)
        memcpy(text + end, path, strlen(path) + 1);
    else
        text[0] = '\0';
    return text[0];
}
