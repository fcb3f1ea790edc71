// SPDX-License-Identifier: MIT
/*
 * tensor_roofs.cu: measures the ceilings of tensor cores; see op/roof.h for
 * what the kernels compute.
 *
 * Two groups of four warps per block, each with a D of 64 x 256 that fills half
 * of the registers: enough independent instructions to keep tensor cores busy.
 * On sm_90 a group issues wgmma, without which half of the rate is lost, with A
 * in registers and B in shared memory. From sm_80 on, each warp issues mma.sync
 * on its 16 rows. Because B is all ones, its layout in shared memory does not
 * matter.
 */
#include "op/roof.h"

#include <stdint.h>
#include <string.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "loaded.cuh"

enum {
    GROUPS = 2,                 /* per block */
    SUMS = 64 * ROOF_COLUMNS / ROOF_GROUP, /* of D, per thread */
    TILE_BYTES = 32 * ROOF_COLUMNS,        /* of B: 32 bytes of each column */
};

/* A value in each element of a 32-bit register. */
static __device__ unsigned twice(unsigned bits)
{
    return bits | bits << 16;
}

static __device__ unsigned four_times(unsigned bits)
{
    return twice(bits | bits << 8);
}

#define MMA(words, constraint, d, a, b)                                       \
    asm volatile("mma.sync.aligned." words                                    \
                 " {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"     \
                 : constraint((d)[0]), constraint((d)[1]),                    \
                   constraint((d)[2]), constraint((d)[3])                     \
                 : "r"(a), "r"(b))

/* wgmma's 128 sums as operands 0 to 127 of an asm. */
#define SUMS_TEXT                                                             \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,"                                  \
    "%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,"                        \
    "%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,"                        \
    "%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"                        \
    "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,"                        \
    "%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,"                        \
    "%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,"                        \
    "%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"                        \
    "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,"                \
    "%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,"            \
    "%120,%121,%122,%123,%124,%125,%126,%127"
#define SUMS_4(c, d, i) c((d)[i]), c((d)[i + 1]), c((d)[i + 2]), c((d)[i + 3])
#define SUMS_16(c, d, i)                                                      \
    SUMS_4(c, d, i), SUMS_4(c, d, i + 4), SUMS_4(c, d, i + 8),                \
        SUMS_4(c, d, i + 12)
#define SUMS_64(c, d, i)                                                      \
    SUMS_16(c, d, i), SUMS_16(c, d, i + 16), SUMS_16(c, d, i + 32),           \
        SUMS_16(c, d, i + 48)
#define WGMMA_TEXT(words, rest)                                               \
    "wgmma.mma_async.sync.aligned.m64n256" words                              \
    " {" SUMS_TEXT "}, {%128,%128,%128,%128}, %129, " rest ";\n"
/* ROOF_STEP rounds in one: between two of them the compiler would wait. */
#define WGMMA(words, rest, constraint, d, a, b)                               \
    asm volatile(WGMMA_TEXT(words, rest) WGMMA_TEXT(words, rest)              \
                 WGMMA_TEXT(words, rest) WGMMA_TEXT(words, rest)              \
                 "wgmma.commit_group.sync.aligned;"                           \
                 : SUMS_64(constraint, d, 0), SUMS_64(constraint, d, 64)      \
                 : "r"(a), "l"(b))

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA 1
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HAS_MMA 1
#if __CUDA_ARCH__ >= 890 && CUDART_VERSION >= 12040
#define HAS_FP8_MMA 1
#endif
#endif

/* A multiplication by ones, added to d: of 64 x 256 and ROOF_STEP rounds, or of
 * 16 x 8 and one round. LEAST is the virtual architecture that has its
 * instruction. */
struct Fp16 {
    typedef float Sum;
    enum { LEAST = 80 };
    static __device__ unsigned pack(float v)
    {
        return twice(__half_as_ushort(__float2half(v)));
    }
#if defined(HAS_WGMMA)
    static __device__ void wide(float *d, unsigned a, uint64_t b)
    {
        WGMMA("k16.f32.f16.f16", "1, 1, 1, 0", "+f", d, a, b);
    }
#elif defined(HAS_MMA)
    static __device__ void narrow(float *d, unsigned a, unsigned b)
    {
        MMA("m16n8k16.row.col.f32.f16.f16.f32", "+f", d, a, b);
    }
#endif
};

struct Bf16 {
    typedef float Sum;
    enum { LEAST = 80 };
    static __device__ unsigned pack(float v)
    {
        __nv_bfloat16_raw raw = __float2bfloat16(v);
        return twice(raw.x); // 11.8 has no __bfloat16_as_ushort for sm_75
    }
#if defined(HAS_WGMMA)
    static __device__ void wide(float *d, unsigned a, uint64_t b)
    {
        WGMMA("k16.f32.bf16.bf16", "1, 1, 1, 0", "+f", d, a, b);
    }
#elif defined(HAS_MMA)
    static __device__ void narrow(float *d, unsigned a, unsigned b)
    {
        MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "+f", d, a, b);
    }
#endif
};

struct Tf32 {
    typedef float Sum;
    enum { LEAST = 80 };
    static __device__ unsigned pack(float v)
    {
        return __float_as_uint(v);
    }
#if defined(HAS_WGMMA)
    static __device__ void wide(float *d, unsigned a, uint64_t b)
    {
        WGMMA("k8.f32.tf32.tf32", "1, 1, 1", "+f", d, a, b);
    }
#elif defined(HAS_MMA)
    static __device__ void narrow(float *d, unsigned a, unsigned b)
    {
        MMA("m16n8k8.row.col.f32.tf32.tf32.f32", "+f", d, a, b);
    }
#endif
};

struct Int8 {
    typedef int Sum;
    enum { LEAST = 80 };
    static __device__ unsigned pack(float v)
    {
        return four_times((unsigned)(int)v & 0xff);
    }
#if defined(HAS_WGMMA)
    static __device__ void wide(int *d, unsigned a, uint64_t b)
    {
        WGMMA("k32.s32.s8.s8", "1", "+r", d, a, b);
    }
#elif defined(HAS_MMA)
    static __device__ void narrow(int *d, unsigned a, unsigned b)
    {
        MMA("m16n8k32.row.col.s32.s8.s8.s32", "+r", d, a, b);
    }
#endif
};

struct Fp8 {
    typedef float Sum;
    enum { LEAST = CUDART_VERSION >= 12040 ? 89 : 90 };
    /* e4m3 of -3 to 3; its header is not in every toolkit. */
    static __device__ unsigned pack(float v)
    {
        unsigned size = v < 0 ? (unsigned)-v : (unsigned)v;
        unsigned bits = size == 0 ? 0 : size == 1 ? 0x38
                                      : size == 2 ? 0x40 : 0x44;
        return four_times(bits | (v < 0 ? 0x80 : 0));
    }
#if defined(HAS_WGMMA)
    static __device__ void wide(float *d, unsigned a, uint64_t b)
    {
        WGMMA("k32.f32.e4m3.e4m3", "1, 1, 1", "+f", d, a, b);
    }
#elif defined(HAS_FP8_MMA)
    static __device__ void narrow(float *d, unsigned a, unsigned b)
    {
        MMA("m16n8k32.row.col.f32.e4m3.e4m3.f32", "+f", d, a, b);
    }
#elif defined(HAS_MMA)
    static __device__ void narrow(float *, unsigned, unsigned)
    {
    }
#endif
};

#if defined(HAS_WGMMA)
/* Core matrices of 8 rows of 16 bytes, one behind the other, no swizzle: PTX
 * ISA, "Matrix descriptor". */
static __device__ uint64_t descriptor(const void *tile)
{
    const uint64_t leading = 128, stride = 256; /* bytes */
    uint64_t at = (uint64_t)__cvta_generic_to_shared(tile);

    return (at & 0x3ffff) >> 4 | leading >> 4 << 16 | stride >> 4 << 32;
}

static __device__ void begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ void wait()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
#endif

template <class T>
static __device__ void multiply(typename T::Sum *sum, unsigned a, unsigned b,
                                const void *ones, int rounds)
{
#if defined(HAS_WGMMA)
    uint64_t tile = descriptor(ones);

    begin();
#pragma unroll 1
    for (int r = 0; r < rounds; r += ROOF_STEP)
        T::wide(sum, a, tile);
    wait();
#elif defined(HAS_MMA)
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < SUMS; i += 4)
            T::narrow(&sum[i], a, b);
#endif
    (void)a, (void)b, (void)ones;
}

template <class T>
static __global__ void __launch_bounds__(GROUPS *ROOF_GROUP)
    matrices(const float *from, float *to, int n, int rounds)
{
    __shared__ __align__(128) unsigned ones[TILE_BYTES / sizeof(unsigned)];
    int i = blockIdx.x * GROUPS * ROOF_GROUP + threadIdx.x;
    unsigned one = T::pack(1);
    typename T::Sum sum[SUMS] = {}, all = 0;

    for (int w = threadIdx.x; w < TILE_BYTES / (int)sizeof(unsigned);
         w += GROUPS * ROOF_GROUP)
        ones[w] = one;
#if defined(HAS_WGMMA)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    __syncthreads(); /* B is whole before anyone multiplies by it */
    if (i >= n) /* a whole group: n is a multiple of its threads */
        return;
    multiply<T>(sum, T::pack(from[i]), one, ones, rounds);
#pragma unroll
    for (int s = 0; s < SUMS; s++)
        all += sum[s];
    to[i] = (float)all;
}

/* fp64: D of 8 x 128 per warp, as m8n8k4, or as m16n8k16 where sm_90 has it,
 * whose two D of 16 x 8 take as many operations and add up to the same. */
static __global__ void __launch_bounds__(GROUPS *ROOF_GROUP)
    matrices_fp64(const float *from, float *to, int n, int rounds)
{
    enum { DOUBLES = 32 };
    int i = blockIdx.x * GROUPS * ROOF_GROUP + threadIdx.x;
    double d[DOUBLES] = {}, all = 0;

    if (i >= n)
        return;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    double a = from[i], b = 1;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int s = 0; s < 8; s += 4)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
                         "{%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, "
                         "{%5,%5,%5,%5}, {%0,%1,%2,%3};"
                         : "+d"(d[s]), "+d"(d[s + 1]), "+d"(d[s + 2]),
                           "+d"(d[s + 3])
                         : "d"(a), "d"(b));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    double a = from[i], b = 1;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int s = 0; s < DOUBLES; s += 2)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                         "{%0,%1}, {%2}, {%3}, {%0,%1};"
                         : "+d"(d[s]), "+d"(d[s + 1])
                         : "d"(a), "d"(b));
#endif
#pragma unroll
    for (int s = 0; s < DOUBLES; s++)
        all += d[s];
    to[i] = (float)all;
}

typedef void kernel(const float *, float *, int, int);

static cudaError_t run(kernel *k, int least, const void *from, void *to,
                       struct roof_shape shape, cudaStream_t stream)
{
    int block = GROUPS * ROOF_GROUP;
    cudaError_t error = loaded_for((const void *)k, least);

    if (error != cudaSuccess)
        return error;
    k<<<(shape.N + block - 1) / block, block, 0, stream>>>(
        (const float *)from, (float *)to, shape.N, shape.R);
    return cudaGetLastError();
}

#define LAUNCHER(name, function, least)                                       \
    cudaError_t name(const void *from, void *to, struct roof_shape shape,     \
                     void *workspace, cudaStream_t stream)                    \
    {                                                                         \
        (void)workspace;                                                      \
        return run(function, least, from, to, shape, stream);                 \
    }

LAUNCHER(roof_mma_fp64, matrices_fp64, 80)
LAUNCHER(roof_mma_tf32, matrices<Tf32>, Tf32::LEAST)
LAUNCHER(roof_mma_fp16, matrices<Fp16>, Fp16::LEAST)
LAUNCHER(roof_mma_bf16, matrices<Bf16>, Bf16::LEAST)
LAUNCHER(roof_mma_fp8, matrices<Fp8>, Fp8::LEAST)
LAUNCHER(roof_mma_int8, matrices<Int8>, Int8::LEAST)
