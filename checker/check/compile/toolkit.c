// SPDX-License-Identifier: MIT
/*
 * toolkit.c: finds nvcc and what belongs to it; see toolkit.h.
 */
#include "toolkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/proc.h"

/* Tried in this order after the environment; last: whatever PATH has. */
static const char *const folders[] = {"/usr/local/cuda", "/opt/cuda"};

static bool try_nvcc(struct toolkit *t, const char *path)
{
    if (access(path, X_OK) != 0)
        return false;
    path_set(t->nvcc, "%s", path);
    return true;
}

static bool try_home(struct toolkit *t, const char *home)
{
    char path[PATH_BYTES];

    if (!home || !*home)
        return false;
    path_set(path, "%s/bin/nvcc", home);
    return try_nvcc(t, path);
}

static bool try_path(struct toolkit *t)
{
    const char *list = getenv("PATH");

    while (list && *list) {
        size_t n = strcspn(list, ":");
        char path[PATH_BYTES];

        path_set(path, "%.*s/nvcc", (int)n, list);
        if (try_nvcc(t, path))
            return true;
        list += n + (list[n] == ':');
    }
    return false;
}

static bool find_nvcc(struct toolkit *t)
{
    const char *nvcc = getenv("NVCC");

    if (nvcc && *nvcc && try_nvcc(t, nvcc))
        return true;
    if (try_home(t, getenv("CUDA_HOME")) || try_home(t, getenv("CUDA_PATH")))
        return true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (try_home(t, folders[i]))
            return true;
    return try_path(t);
}

/* "... release 13.0, V13.0.88" */
static bool read_version(struct toolkit *t)
{
    const char *const argv[] = {t->nvcc, "--version", NULL};
    struct text out = {0};
    const char *at = NULL;
    bool ok = false;

    if (proc_capture(argv, &out))
        at = strstr(text_get(&out), ", V");
    if (at)
        ok = sscanf(at, ", V%31[0-9.]", t->version) == 1 &&
             sscanf(t->version, "%d", &t->major) == 1;
    text_free(&out);
    return ok;
}

/* A distribution's package keeps its libraries elsewhere than NVIDIA's. */
static void find_lib(struct toolkit *t)
{
    static const char *const below[] = {"lib64", "lib",
                                        "targets/x86_64-linux/lib",
                                        "targets/sbsa-linux/lib",
                                        "lib/x86_64-linux-gnu",
                                        "lib/aarch64-linux-gnu"};
    char *real = realpath(t->nvcc, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;

    if (slash)
        *slash = '\0';
    if (slash && (slash = strrchr(real, '/')))
        *slash = '\0';
    for (size_t i = 0; slash && i < sizeof below / sizeof *below; i++) {
        char probe[PATH_BYTES];

        path_set(probe, "%s/%s/libcudart.so", real, below[i]);
        if (!t->lib[0] && file_exists(probe))
            path_set(t->lib, "%s/%s", real, below[i]);
    }
    free(real);
}

/* Of "sm_75\nsm_80\nsm_90a\n..." the greatest number up to MOST; else 0. */
static int newest_of(const char *list, int most)
{
    int best = 0, sm;

    while ((list = strstr(list, "sm_"))) {
        if (sscanf(list, "sm_%d", &sm) == 1 && sm > best && sm <= most)
            best = sm;
        list++;
    }
    return best;
}

int toolkit_sm(const struct toolkit *t, int card)
{
    const char *const argv[] = {t->nvcc, "--list-gpu-code", NULL};
    struct text out = {0};
    int best = proc_capture(argv, &out) ? newest_of(text_get(&out), card) : 0;

    text_free(&out);
    return best ? best : card;
}

void toolkit_find(struct toolkit *t)
{
    *t = (struct toolkit){0};
    t->found = find_nvcc(t) && read_version(t);
    if (t->found)
        find_lib(t);
}
