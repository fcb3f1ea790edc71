// SPDX-License-Identifier: MIT
/*
 * gemm_hopper_few.cuh: wgmma_bf16 of gemm_hopper.cuh for tiles of fewer
 * columns. For steps 6 and 7 of chapter 17; compute_90a. Clusters are in
 * gemm_cluster.cuh.
 *
 *   wgmma<N>   64 x N sums += 64 rows of A times N columns of B, 16 deep; N is
 *              64, 128 or 256
 *   share_of   a part of k
 *   four_of, add_four
 *              sums, 16 bytes at a time
 */
#ifndef WB_GEMM_HOPPER_FEW_CUH
#define WB_GEMM_HOPPER_FEW_CUH

#include "gemm_cluster.cuh"
#include "gemm_hopper.cuh"

/* Four neighbouring sums, and four more added to them. */
static __device__ inline float4 four_of(const float *sum)
{
    return make_float4(sum[0], sum[1], sum[2], sum[3]);
}

static __device__ inline void add_four(float *sum, float4 more)
{
    sum[0] += more.x;
    sum[1] += more.y;
    sum[2] += more.z;
    sum[3] += more.w;
}

/* From `begin` to `end` - 1. */
struct range {
    int begin, end;
};

/* Of k, the share of one of `parts`: whole steps, but for the last one. */
static __device__ inline struct range share_of(int K, int step, int part,
                                               int parts)
{
    int steps = (K - 1) / step + 1;

    return {steps * part / parts * step,
            min(K, steps * (part + 1) / parts * step)};
}

/* As wgmma_bf16: N / 2 sums per thread, and B in N / 64 tiles. */
template <int N>
static __device__ __forceinline__ void wgmma(float *sums, uint64_t a,
                                             uint64_t b, int add);

template <>
__device__ __forceinline__ void wgmma<256>(float *sums, uint64_t a, uint64_t b,
                                           int add)
{
    wgmma_bf16(sums, a, b, add);
}

#define WB_SUMS_4(d, i)                                                       \
    "+f"((d)[i]), "+f"((d)[(i) + 1]), "+f"((d)[(i) + 2]), "+f"((d)[(i) + 3])
#define WB_SUMS_16(d, i)                                                      \
    WB_SUMS_4(d, i), WB_SUMS_4(d, (i) + 4), WB_SUMS_4(d, (i) + 8),            \
        WB_SUMS_4(d, (i) + 12)

template <>
__device__ __forceinline__ void wgmma<128>(float *sums, uint64_t a, uint64_t b,
                                           int add)
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
                 : WB_SUMS_16(sums, 0), WB_SUMS_16(sums, 16),
                   WB_SUMS_16(sums, 32), WB_SUMS_16(sums, 48)
                 : "l"(a), "l"(b), "r"(add));
}

template <>
__device__ __forceinline__ void wgmma<64>(float *sums, uint64_t a, uint64_t b,
                                          int add)
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
                 : WB_SUMS_16(sums, 0), WB_SUMS_16(sums, 16)
                 : "l"(a), "l"(b), "r"(add));
}

#undef WB_SUMS_4
#undef WB_SUMS_16

#endif
