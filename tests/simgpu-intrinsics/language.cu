// SPDX-License-Identifier: MIT
/*
 * language.cu: what ordinary kernels are made of, to be compiled and looked
 * at, not run: atomics of all kinds and scopes, warps, groups, asynchronous
 * copies, halves that are approximated, calls of all kinds.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>

#include <cassert>
#include <cstdio>

namespace cg = cooperative_groups;
#define ALL 0xffffffffu

template <class T> __device__ void add(T *p, T v)
{
    atomicAdd(p, v);
    atomicAdd_block(p, v);
    p[1] = atomicAdd_system(p, v);
}

template <class T> __device__ void whole(T *p, T v)
{
    add(p, v);
    atomicMin(p, v), atomicMax(p, v), atomicAnd(p, v), atomicOr(p, v);
    atomicXor(p, v), atomicExch(p, v), atomicCAS(p, v, (T)(v + 1));
    atomicMax_system(p, v), atomicCAS_block(p, v, v);
    p[2] = atomicMin(p, v) + atomicMax_block(p, v) + atomicExch_system(p, v);
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l,
                        long long *s, float *f, double *d, unsigned short *h)
{
    whole(i, 3), whole(u, 4u), whole(l, 5ull), add(f, 1.0f), add(d, 2.0);
    atomicMin(s, 3ll), atomicMax(s, 4ll), atomicSub(i, 2), atomicExch(f, 2.0f);
    u[3] = atomicInc(u, 9) + atomicDec(u, 3);
    atomicCAS(h, 1, 2);
    __shared__ unsigned tile[32];
    tile[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&tile[u[7] & 31], 1);
    __threadfence(), __threadfence_block(), __threadfence_system();
}

__global__ void halves(__half2 *x, __nv_bfloat162 *y, float *f)
{
    __half2 a = x[0];
    __nv_bfloat162 b = y[0];
    a = h2exp(a), a = h2exp2(a), a = h2exp10(a), a = h2log(a), a = h2log2(a);
    a = h2sin(a), a = h2cos(a), a = h2sqrt(a), a = h2rsqrt(a), a = h2rcp(a);
    b = h2exp(b), b = h2exp2(b), b = h2log(b), b = h2sin(b), b = h2sqrt(b);
    x[1] = __h2div(a, x[2]);
    y[1] = __h2div(b, y[2]);
    atomicAdd(x + 3, a);
    atomicAdd((__half *)(x + 4), __low2half(a));
    x[5] = __shfl_xor_sync(ALL, a, 3);
    __stcs(x + 6, __ldcg(x + 7));
#if __CUDA_ARCH__ >= 800
    atomicAdd(y + 3, b);
    atomicAdd((__nv_bfloat16 *)(y + 4), __low2bfloat16(b));
#endif
    ((__nv_fp8x2_storage_t *)f)[0] = __nv_cvt_float2_to_fp8x2(
        make_float2(f[1], f[2]), __NV_SATFINITE, __NV_E4M3);
    ((__half2_raw *)f)[3] = __nv_cvt_fp8x2_to_halfraw2(7, __NV_E5M2);
}

__global__ void warps(unsigned *u, double *d, long long *s)
{
    int p;
    u[0] = __activemask() + __ballot_sync(ALL, u[1]);
    u[2] = __all_sync(ALL, u[3]) + __any_sync(ALL, u[4]);
    u[5] = __match_any_sync(ALL, u[6]) + __match_all_sync(ALL, s[0], &p) + p;
    u[7] = __shfl_sync(ALL, u[8], 3) + __shfl_up_sync(ALL, u[9], 2, 16) +
           __shfl_down_sync(ALL, u[10], 1, 8) + __shfl_xor_sync(ALL, u[11], 1);
    d[0] = __shfl_sync(ALL, d[1], 1);
    __syncwarp();
    u[12] = __syncthreads_count(u[13]) + __syncthreads_and(u[14]) +
            __syncthreads_or(u[15]);
#if __CUDA_ARCH__ >= 800
    u[16] = __reduce_add_sync(ALL, u[17]) + __reduce_xor_sync(ALL, u[18]) +
            __reduce_min_sync(ALL, (int)u[19]) + __reduce_max_sync(ALL, u[20]);
#endif
    s[1] = clock64() + clock();
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    s[2] = (long long)now;
    __nanosleep(20);
    u[21] = __isGlobal(u) + __isShared(u) + __isLocal(u) + __isConstant(u);
    u[22] = __ldg(u) + __ldca(u) + __ldcs(u) + __ldcv(u) + __ldcg(u);
    __stwt(u + 23, 3), __stcg(u + 24, 2);
    u[25] = *(volatile unsigned *)u;
    __prof_trigger(1);
}

__global__ void groups(int *x, float *f)
{
    auto block = cg::this_thread_block();
    auto eight = cg::tiled_partition<8>(block);
    auto warp = cg::tiled_partition<32>(block);
    auto some = cg::coalesced_threads();
    auto grid = cg::this_grid();
    x[0] = cg::reduce(eight, x[1], cg::plus<int>()) +
           cg::inclusive_scan(warp, x[2]) + cg::exclusive_scan(eight, x[3]);
    x[4] = some.size() + some.thread_rank() + some.shfl(x[1], 0) +
           some.any(x[1]) + some.ballot(x[2]) + some.match_any(x[3]);
    x[5] = cg::reduce(some, x[6], cg::greater<int>());
    x[7] = cg::reduce(cg::labeled_partition(warp, x[2]), x[1],
                      cg::bit_xor<int>());
    x[8] = cg::binary_partition(warp, x[3] & 1).size();
    cg::tiled_partition(block, 16).sync();
    f[0] = cg::reduce(warp, f[1], cg::plus<float>());
    x[9] = grid.thread_rank() + block.group_index().x;
    grid.sync();
    __shared__ int tile[64];
    __pipeline_memcpy_async(tile + threadIdx.x, x + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    x[10] = tile[1];
#if CUDART_VERSION >= 12000
    cg::invoke_one(warp, [&] { x[11] = 3; });
#endif
}

struct Base {
    __device__ virtual int f(int x) const { return x; }
};
struct Derived : Base {
    int k;
    __device__ int f(int x) const override { return x * k; }
};
__device__ int (*pointer)(int);
__constant__ float constants[16];
__device__ int variable[4] = {1, 2, 3, 4};
static __device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void calls(int *x, double *d, float *f)
{
    Derived derived;
    derived.k = x[20];
    const Base *p = &derived;
    int local[20], q;
    float s, c;
    for (int i = 0; i < 20; i++)
        local[i] = x[i];
    x[0] = p->f(3) + local[x[4] & 15] + fibonacci(x[6]);
    x[7] = pointer(3) + variable[x[0] & 3];
    f[0] = constants[x[1] & 15];
    switch (x[11]) {
    case 0: x[1] = 2; break;
    case 1: x[2] = 7; break;
    case 2: x[3] = 9; break;
    case 3: x[4] = 3; break;
    case 4: x[5] = 1; break;
    case 5: x[7] = 11; break;
    }
    d[0] = j0(d[1]) + y1(d[2]) + cyl_bessel_i0(d[4]) + erfinv(d[5]) +
           erfcx(d[7]) + normcdfinv(d[8]) + norm3d(d[1], d[2], d[3]) +
           sinpi(d[1]) + rcbrt(d[4]) + logb(d[3]) + exp10(d[1]) +
           fdim(d[1], 2.0);
    f[1] = j0f(f[1]) + cyl_bessel_i1f(f[3]) + erfinvf(f[4]) + erfcxf(f[5]) +
           rcbrtf(f[6]) + norm4df(f[1], f[2], f[3], f[4]) +
           rhypotf(f[1], 2.0f) + __tanf(f[1]) + __powf(f[1], f[2]);
    sincosf(f[2], &s, &c);
    f[3] = s + c + (float)remquo(d[1], d[2], &q);
    printf("%d %f\n", x[1], d[0]);
    assert(x[0] > 0);
    if (x[0] == 77)
        __trap();
}
