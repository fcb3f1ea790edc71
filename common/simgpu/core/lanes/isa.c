// SPDX-License-Identifier: MIT
/*
 * isa.c: which of the vector widths of lanes_*.c this processor can run.
 * LANES_BASE_ALONE: no other is linked.
 */
#include <string.h>

#include "ops.h"

extern const struct lane_table lane_table_base;
#if defined __x86_64__ && !defined LANES_BASE_ALONE
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

const struct lane_table *lane_table(const char *at_most)
{
    const struct lane_table *best = widest();
    if (at_most && strcmp(at_most, "base") == 0)
        return &lane_table_base;
    if (at_most && strcmp(at_most, "avx2") == 0 && best != &lane_table_base)
        return &lane_table_avx2;
    return best;
}
#else
const struct lane_table *lane_table(const char *at_most)
{
    (void)at_most;
    return &lane_table_base;
}
#endif
