// SPDX-License-Identifier: MIT
/*
 * kernels.c: see kernels.h.
 */
#include "sweep/kernels.h"

#include <string.h>

/* The last column: no, yes, vector, or numbers: kernels.h says which. */
static bool read_split(const char *word, struct plan_rule *rule)
{
    bool few = strncmp(word, "few", 3) == 0;
    int end = 0;

    if (strcmp(word, "no") == 0)
        return true;
    if (strcmp(word, "vector") == 0) {
        rule->kind = PLAN_VECTOR;
        return true;
    }
    rule->kind = few ? PLAN_FEW : PLAN_PARTS;
    if (strcmp(word, "yes") == 0) {
        rule->most = 1 << 20;
        rule->least = 16;
        return true;
    }
    if (sscanf(word + 3 * few, "%dx%d%n/%d%n/%d%n", &rule->most, &rule->least,
               &end, &rule->fill, &end, &rule->blocks, &end) >= 3)
        rule->kind = PLAN_DOUBLED;
    return end > 0 && word[3 * few + end] == '\0' && rule->most > 0 &&
           rule->least > 0 && rule->fill > 0 && rule->blocks > 0;
}

static bool read_kernel(const char *line, struct sweep_kernel *k)
{
    char splits[16];
    int n = sscanf(line,
                   "%31[a-z0-9_]\t%d/%31[a-z0-9_]\t%95[^\t]\t%d %d\t%d"
                   "\t%15s",
                   k->name, &k->chapter, k->kernel, k->constants, &k->tile_m,
                   &k->tile_n, &k->blocks, splits);

    if (n < 8 || k->tile_m < 1 || k->tile_n < 1 || k->blocks < 1)
        return false;
    k->splits = strcmp(splits, "no") != 0;
    k->rule = (struct plan_rule){.tile_m = k->tile_m, .tile_n = k->tile_n,
                                 .blocks = k->blocks, .fill = k->blocks};
    return read_split(splits, &k->rule);
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
                     "BLOCKS, and no, yes, vector or PARTSxDEPTH, with tabs "
                     "between; "
                     "at most %d", path, at, SWEEP_KERNELS);
    }
    if (file)
        fclose(file);
    return ok;
}
