// SPDX-License-Identifier: MIT
/*
 * isa.c: which of the vector widths of lanes_*.c this processor can run.
 * LANES_BASE_ALONE: no other is linked.
 */
#include <string.h>

#include "ops.h"
#include "simgpu/width.h"

extern const struct lane_table lane_table_base;
#if defined __x86_64__ && !defined LANES_BASE_ALONE
extern const struct lane_table lane_table_avx2, lane_table_avx512;

static const struct lane_table *widest(void)
{
    enum cpu_width width = cpu_width();

    if (width == CPU_AVX512)
        return &lane_table_avx512;
    if (width == CPU_AVX2)
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
