// SPDX-License-Identifier: MIT
/*
 * isa.c: which of the vector widths of lanes_*.c this processor can run.
 */
#include <stdlib.h>
#include <string.h>

#include "ops.h"

extern const struct lane_table lane_table_base;
#ifdef __x86_64__
extern const struct lane_table lane_table_avx2, lane_table_avx512;

static const struct lane_table *widest(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return &lane_table_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return &lane_table_avx2;
    return &lane_table_base;
}

/* SIMGPU_ISA=base|avx2 narrows it, for tests. */
const struct lane_table *lane_table(void)
{
    const struct lane_table *best = widest();
    const char *wish = getenv("SIMGPU_ISA");
    if (wish && strcmp(wish, "base") == 0)
        return &lane_table_base;
    if (wish && strcmp(wish, "avx2") == 0 && best != &lane_table_base)
        return &lane_table_avx2;
    return best;
}
#else
const struct lane_table *lane_table(void)
{
    return &lane_table_base;
}
#endif
