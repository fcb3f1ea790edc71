// SPDX-License-Identifier: MIT
/*
 * wgmma.cuh: wgmma_bf16 of gemm_hopper.cuh for 64, 128 and 256 columns.
 *
 *   wgmma_wide   64 x N sums += 64 rows of A times N columns of B, 16 deep
 */
#ifndef TRIAL_WGMMA_CUH
#define TRIAL_WGMMA_CUH

#include "op/gemm_hopper.cuh"

#define SUMS_4(d, i)                                                          \
    "+f"((d)[i]), "+f"((d)[(i) + 1]), "+f"((d)[(i) + 2]), "+f"((d)[(i) + 3])
#define SUMS_16(d, i)                                                         \
    SUMS_4(d, i), SUMS_4(d, (i) + 4), SUMS_4(d, (i) + 8), SUMS_4(d, (i) + 12)
#define SUMS_32(d, i) SUMS_16(d, i), SUMS_16(d, (i) + 16)

template <int N>
static __device__ __forceinline__ void wgmma_wide(float *sums, uint64_t a,
                                                  uint64_t b, int add);

template <>
__device__ __forceinline__ void wgmma_wide<64>(float *sums, uint64_t a,
                                               uint64_t b, int add)
{
    asm volatile("{\n"
                 ".reg .pred add;\n"
                 "setp.ne.b32 add, %34, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
                 "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, "
                 "%26, %27, %28, %29, %30, %31"
                 "}, %32, %33, add, 1, 1, 0, 1;\n"
                 "}\n"
                 : SUMS_32(sums, 0)
                 : "l"(a), "l"(b), "r"(add));
}

template <>
__device__ __forceinline__ void wgmma_wide<128>(float *sums, uint64_t a,
                                               uint64_t b, int add)
{
    asm volatile("{\n"
                 ".reg .pred add;\n"
                 "setp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
                 "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, "
                 "%26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
                 "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
                 "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
                 "%62, %63"
                 "}, %64, %65, add, 1, 1, 0, 1;\n"
                 "}\n"
                 : SUMS_32(sums, 0), SUMS_32(sums, 32)
                 : "l"(a), "l"(b), "r"(add));
}

template <>
__device__ __forceinline__ void wgmma_wide<256>(float *sums, uint64_t a,
                                                uint64_t b, int add)
{
    wgmma_bf16(sums, a, b, add);
}

#undef SUMS_4
#undef SUMS_16
#undef SUMS_32

#endif
