// SPDX-License-Identifier: MIT
/*
 * hopper_128_columns.cuh: wgmma of 128 columns, for two honest kernels of
 * chapter 17.
 *
 *   multiply   64 x 128 sums += 64 rows of A times 128 columns of B
 */
#ifndef HOPPER_128_COLUMNS_CUH
#define HOPPER_128_COLUMNS_CUH

#include "hopper_warp_stores.cuh"

#define SUMS_TEXT                                                             \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "       \
    "%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "       \
    "%28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "       \
    "%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "       \
    "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define SUMS_8(d, i)                                                          \
    "+f"((d)[i]), "+f"((d)[i + 1]), "+f"((d)[i + 2]), "+f"((d)[i + 3]),       \
        "+f"((d)[i + 4]), "+f"((d)[i + 5]), "+f"((d)[i + 6]), "+f"((d)[i + 7])

static __device__ __forceinline__ void multiply(float *sum, uint64_t a,
                                                uint64_t b, int add)
{
    asm volatile("{\n"
                 ".reg .pred add;\n"
                 "setp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
                 "{" SUMS_TEXT "}, %64, %65, add, 1, 1, 0, 1;\n"
                 "}\n"
                 : SUMS_8(sum, 0), SUMS_8(sum, 8), SUMS_8(sum, 16),
                   SUMS_8(sum, 24), SUMS_8(sum, 32), SUMS_8(sum, 40),
                   SUMS_8(sum, 48), SUMS_8(sum, 56)
                 : "l"(a), "l"(b), "r"(add));
}

#undef SUMS_TEXT
#undef SUMS_8

#endif
