// SPDX-License-Identifier: MIT
/*
 * width.h: how wide this machine's vectors are.
 *
 *   cpu_width   the widest of the sets of instructions that the Makefile
 *               compiles for (ISA_avx2, ISA_avx512)
 */
#ifndef SIMGPU_WIDTH_H
#define SIMGPU_WIDTH_H

enum cpu_width { CPU_BASE, CPU_AVX2, CPU_AVX512 };

static inline enum cpu_width cpu_width(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return CPU_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return CPU_AVX2;
#endif
    return CPU_BASE;
}

#endif
