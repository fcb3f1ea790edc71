// SPDX-License-Identifier: MIT
/*
 * kernels.c: see kernels.h.
 */
#include "sweep/kernels.h"

#include <string.h>

static bool read_kernel(const char *line, struct sweep_kernel *k)
{
    char splits[4];
    int n = sscanf(line,
                   "%31[a-z0-9_]\t%d/%31[a-z0-9_]\t%95[^\t]\t%d %d\t%d\t%3s",
                   k->name, &k->chapter, k->kernel, k->constants, &k->tile_m,
                   &k->tile_n, &k->blocks, splits);

    k->splits = n == 8 && strcmp(splits, "yes") == 0;
    return n == 8 && k->tile_m > 0 && k->tile_n > 0 && k->blocks > 0;
}

bool kernels_read(const char *path, struct sweep_kernels *list, char *error,
                  size_t error_size)
{
    FILE *file = fopen(path, "r");
    char line[256];
    bool ok = file != NULL;

    list->n = 0;
    if (!file)
        snprintf(error, error_size, "there is no %s", path);
    for (int at = 1; ok && fgets(line, sizeof line, file); at++) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        ok = list->n < SWEEP_KERNELS &&
             read_kernel(line, &list->kernel[list->n]);
        list->n += ok;
        if (!ok)
            snprintf(error, error_size, "%s:%d: a candidate is NAME, "
                     "CHAPTER/KERNEL, CONSTANT=VALUE ... or -, TILE_M TILE_N, "
                     "BLOCKS, yes or no, with tabs between; at most %d",
                     path, at, SWEEP_KERNELS);
    }
    if (file)
        fclose(file);
    return ok;
}
