// SPDX-License-Identifier: MIT
/*
 * matrix.cu: what tensor cores make of known data, a line per product.
 *
 *   nvcc -cudart shared -gencode arch=compute_90a,code=[compute_90a,sm_90a] \
 *       -o matrix tests/hardware/matrix.cu && ./matrix [TRIALS]
 *
 * matrix-h200.txt is what an H200 printed; tests/matrix holds the simulated GPU
 * to it. A line: form, family of inputs, trial, then the result's registers as
 * hexadecimal words, lane by lane. Inputs are a hash of form, family, trial,
 * operand, lane and register, so that any program can make them again.
 *
 * Families: 0, numbers of similar size; 1, of very different sizes; 2, any
 * bits, with NaN, infinity and subnormal numbers.
 */
#include <cstring>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "matrix.cuh"

enum { MOST = 1 << 16 }; // words of a result

#define KERNEL(name, shape, text, ta, tb, tc, Word, k)                        \
    static __global__ void mma_##name(Word *out, uint32_t family,             \
                                      uint32_t trial)                         \
    {                                                                         \
        constexpr int sums = DIGIT(shape, 0);                                 \
        struct origin o = {FORM_##name, family, trial, 0};                    \
        Word d[4], a[8], b[4], c[4];                                          \
                                                                              \
        fill(a, DIGIT(shape, 1), ta, o, 0);                                   \
        fill(b, DIGIT(shape, 2), tb, o, 1);                                   \
        fill(c, sums, tc, o, 2);                                              \
        MMA_##shape(SYNC text, k);                                            \
        for (int r = 0; r < sums; r++)                                        \
            out[threadIdx.x * sums + r] = d[r];                               \
    }
#define X(name, shape, text, a, b, c)                                         \
    KERNEL(name, shape, text, a, b, c, uint32_t, "r")
HALF_FORMS(X) BYTE_FORMS(X) KNOWN_SMALL_FORMS(X)
#undef X
#undef KERNEL
#define KERNEL(name, shape, text, ta, tb, tc)                                 \
    static __global__ void mma_##name(double *out, uint32_t family,           \
                                      uint32_t trial)                         \
    {                                                                         \
        constexpr int sums = DIGIT(shape, 0);                                 \
        struct origin o = {FORM_##name, family, trial, 0};                    \
        uint64_t bits[8];                                                     \
        double d[4], a[8], b[4], c[4];                                        \
                                                                              \
        fill(bits, DIGIT(shape, 1), ta, o, 0);                                \
        for (int k = 0; k < DIGIT(shape, 1); k++)                             \
            a[k] = __longlong_as_double((long long)bits[k]);                  \
        fill(bits, DIGIT(shape, 2), tb, o, 1);                                \
        for (int k = 0; k < DIGIT(shape, 2); k++)                             \
            b[k] = __longlong_as_double((long long)bits[k]);                  \
        fill(bits, sums, tc, o, 2);                                           \
        for (int k = 0; k < sums; k++)                                        \
            c[k] = __longlong_as_double((long long)bits[k]);                  \
        MMA_##shape(SYNC text, "d");                                          \
        for (int r = 0; r < sums; r++)                                        \
            out[threadIdx.x * sums + r] = d[r];                               \
    }
#define X(name, shape, text, a, b, c) KERNEL(name, shape, text, a, b, c)
DOUBLE_FORMS(X)
#undef X

// Lines ------------------------------------------------------------------------

static void *results;
static uint32_t words[MOST];

static void print(const char *name, uint32_t family, uint32_t trial, size_t n)
{
    cuda(cudaGetLastError(), name);
    cuda(cudaMemcpy(words, results, n * sizeof *words, cudaMemcpyDeviceToHost),
         name);
    printf("%s %u %u", name, family, trial);
    for (size_t k = 0; k < n; k++)
        printf(" %x", words[k]);
    printf("\n");
}

static void print_digest(const char *name, size_t n)
{
    uint64_t digest = 0xcbf29ce484222325u; // FNV-1a

    cuda(cudaGetLastError(), name);
    cuda(cudaMemcpy(words, results, n * sizeof *words, cudaMemcpyDeviceToHost),
         name);
    for (size_t k = 0; k < n; k++)
        digest = (digest ^ words[k]) * 0x100000001b3u;
    printf("%s 0 0 %016llx\n", name, (unsigned long long)digest);
}

// wmma -------------------------------------------------------------------------

namespace wmma = nvcuda::wmma;

// M, N, K as whole matrices in memory: bits of A, B and C are random words.
template <class T, class S, class In, class Sum, class LA, class LB, int M,
          int N, int K>
static __global__ void wmma_product(Sum *out, struct origin o, enum type in,
                                    enum type sum)
{
    __shared__ __align__(32) In a[M * K], b[K * N];
    __shared__ __align__(32) Sum c[M * N];
    constexpr int in_word = sizeof(uint32_t) / sizeof(In);
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, S> fc;
    bool wide = sizeof(In) == 8;

    for (int w = threadIdx.x; w < M * K / (wide ? 1 : in_word); w += WARP) {
        o.operand = 0;
        uint64_t bits = operand(in, o, w);
        memcpy((char *)a + (wide ? 8 : 4) * w, &bits, wide ? 8 : 4);
    }
    for (int w = threadIdx.x; w < K * N / (wide ? 1 : in_word); w += WARP) {
        o.operand = 1;
        uint64_t bits = operand(in, o, w);
        memcpy((char *)b + (wide ? 8 : 4) * w, &bits, wide ? 8 : 4);
    }
    for (int w = threadIdx.x; w < M * N * (int)sizeof(Sum) / (wide ? 8 : 4);
         w += WARP) {
        o.operand = 2;
        uint64_t bits = operand(sum, o, w);
        memcpy((char *)c + (wide ? 8 : 4) * w, &bits, wide ? 8 : 4);
    }
    __syncwarp();
    bool rows_a = std::is_same<LA, wmma::row_major>::value;
    bool rows_b = std::is_same<LB, wmma::row_major>::value;
    wmma::load_matrix_sync(fa, (const In *)a, rows_a ? K : M);
    wmma::load_matrix_sync(fb, (const In *)b, rows_b ? N : K);
    wmma::load_matrix_sync(fc, (const Sum *)c, N, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(out, fc, rows_a ? N : M,
                            rows_a ? wmma::mem_row_major
                                   : wmma::mem_col_major);
}

template <class T, class S, class In, class Sum, int M, int N, int K>
static void wmma_lines(const char *name, uint32_t number, enum type in,
                       enum type sum, uint32_t trials)
{
    typedef wmma::row_major row;
    typedef wmma::col_major col;
    char text[64];

    for (uint32_t family = 0; family < FAMILIES; family++)
        for (uint32_t trial = 0; trial < trials; trial++) {
            struct origin o = {FORM_WMMA + number, family, trial, 0};
            size_t n = M * N * sizeof(Sum) / sizeof(uint32_t);
            wmma_product<T, S, In, Sum, row, col, M, N, K>
                <<<1, WARP>>>((Sum *)results, o, in, sum);
            snprintf(text, sizeof text, "wmma_%s_row_col", name);
            print(text, family, trial, n);
            wmma_product<T, S, In, Sum, col, row, M, N, K>
                <<<1, WARP>>>((Sum *)results, o, in, sum);
            snprintf(text, sizeof text, "wmma_%s_col_row", name);
            print(text, family, trial, n);
        }
}

static void wmma_all(uint32_t trials)
{
    namespace p = wmma::precision;
#define SHAPES(name, number, T, S, In, Sum, in, sum)                          \
    wmma_lines<T, S, In, Sum, 16, 16, 16>(name "_16x16x16", number, in, sum,  \
                                          trials);                            \
    wmma_lines<T, S, In, Sum, 32, 8, 16>(name "_32x8x16", number + 1, in,     \
                                         sum, trials);                        \
    wmma_lines<T, S, In, Sum, 8, 32, 16>(name "_8x32x16", number + 2, in,     \
                                         sum, trials)
    SHAPES("f16_f32", 0, __half, float, __half, float, F16, F32_SUM);
    SHAPES("f16_f16", 3, __half, __half, __half, __half, F16, F16_SUM);
    SHAPES("bf16", 6, __nv_bfloat16, float, __nv_bfloat16, float, BF16,
           F32_SUM);
    SHAPES("s8", 9, signed char, int, signed char, int, BITS, BITS);
    SHAPES("u8", 12, unsigned char, int, unsigned char, int, BITS, BITS);
    wmma_lines<p::tf32, float, float, float, 16, 16, 8>(
        "tf32_16x16x8", 15, TF32, F32_SUM, trials);
    wmma_lines<double, double, double, double, 8, 8, 4>("f64_8x8x4", 16, F64,
                                                        F64, trials);
}

// wgmma ------------------------------------------------------------------------

#if CUDART_VERSION >= 12000
#define SUMS_4(k, d, i) k(d[i]), k(d[i + 1]), k(d[i + 2]), k(d[i + 3])
#define SUMS_8(k, d) SUMS_4(k, d, 0), SUMS_4(k, d, 4)
#define SUMS_32(k, d)                                                         \
    SUMS_4(k, d, 0), SUMS_4(k, d, 4), SUMS_4(k, d, 8), SUMS_4(k, d, 12),      \
        SUMS_4(k, d, 16), SUMS_4(k, d, 20), SUMS_4(k, d, 24),                 \
        SUMS_4(k, d, 28)
#define FENCE asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WAIT                                                                  \
    asm volatile("wgmma.commit_group.sync.aligned;\n"                         \
                 "wgmma.wait_group.sync.aligned 0;" ::: "memory")
// A in registers, B of 16 columns in shared memory.
#define WGMMA_4(text, rest)                                                   \
    asm volatile("wgmma.mma_async.sync.aligned.m64n16" text                   \
                 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, " rest ";"               \
                 : SUMS_4("+r", d, 0)                                         \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(at))
#define WGMMA_8(text, rest)                                                   \
    asm volatile("wgmma.mma_async.sync.aligned.m64n16" text                   \
                 " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, %12, " rest    \
                 ";"                                                          \
                 : SUMS_8("+r", d)                                            \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(at))
#define WGMMA_FORMS(X)                                                        \
    X(wgmma_f16, 8, "k16.f32.f16.f16", "1, 1, 1, 0", F16, F16, F32_SUM)       \
    X(wgmma_f16_f16, 4, "k16.f16.f16.f16", "1, 1, 1, 0", F16, F16, F16_SUM)   \
    X(wgmma_bf16, 8, "k16.f32.bf16.bf16", "1, 1, 1, 0", BF16, BF16, F32_SUM)  \
    X(wgmma_bf16_less, 8, "k16.f32.bf16.bf16", "1, -1, 1, 0", BF16, BF16,     \
      F32_SUM)                                                                \
    X(wgmma_bf16_new, 8, "k16.f32.bf16.bf16", "0, 1, 1, 0", BF16, BF16,       \
      F32_SUM)                                                                \
    X(wgmma_tf32, 8, "k8.f32.tf32.tf32", "1, 1, 1", TF32, TF32, F32_SUM)      \
    X(wgmma_e4m3, 8, "k32.f32.e4m3.e4m3", "1, 1, 1", E4M3, E4M3, F32_SUM)     \
    X(wgmma_e5m2_e4m3, 8, "k32.f32.e5m2.e4m3", "1, 1, 1", E5M2, E4M3,         \
      F32_SUM)                                                                \
    X(wgmma_e4m3_f16, 4, "k32.f16.e4m3.e4m3", "1, 1, 1", E4M3, E4M3,          \
      F16_SUM)                                                                \
    X(wgmma_s8, 8, "k32.s32.s8.s8", "1", BITS, BITS, BITS)                    \
    X(wgmma_u8_s8, 8, "k32.s32.u8.s8", "1", BITS, BITS, BITS)                 \
    X(wgmma_sat, 8, "k32.s32.s8.s8.satfinite", "1", BITS, BITS, BITS)
enum wgmma_form {
    WGMMA_FIRST = FORM_WGMMA,
#define X(name, sums, text, rest, ta, tb, tc) FORM_##name,
    WGMMA_FORMS(X)
#undef X
};
enum { GROUP = 128, COLUMNS = 16, LEADING = 128, STRIDE = 256 };

// In bytes; swizzle: the descriptor's own code.
static __device__ uint64_t descriptor(const void *tile, uint32_t leading,
                                      uint32_t stride, uint32_t swizzle)
{
    uint64_t at = (uint64_t)__cvta_generic_to_shared(tile);

    return (at & 0x3ffff) >> 4 | (uint64_t)(leading >> 4) << 16 |
           (uint64_t)(stride >> 4) << 32 | (uint64_t)swizzle << 62;
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA(...) __VA_ARGS__
#else
#define HAS_WGMMA(...)
#endif

#define X(name, sums, text, rest, ta, tb, tc)                                 \
    static __global__ void run_##name(uint32_t *out, uint32_t family,         \
                                      uint32_t trial)                         \
    {                                                                         \
        __shared__ __align__(128) uint32_t b[COLUMNS * 8];                    \
        struct origin o = {FORM_##name, family, trial, 1};                    \
        uint32_t a[4], d[sums];                                               \
                                                                              \
        fill(a, 4, ta, o, 0);                                                 \
        fill(d, sums, tc, o, 2);                                              \
        b[threadIdx.x] = (uint32_t)operand(tb, o, threadIdx.x);               \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");          \
        __syncthreads();                                                      \
        uint64_t at = descriptor(b, LEADING, STRIDE, 0);                      \
        HAS_WGMMA(FENCE; WGMMA_##sums(text, rest); WAIT;)                     \
        (void)at;                                                             \
        for (int r = 0; r < sums; r++)                                        \
            out[threadIdx.x * sums + r] = d[r];                               \
    }
WGMMA_FORMS(X)
#undef X

// Layouts: what lies where is known from whole numbers in all of the memory, so
// that results are exact. x, y: whether A and B have their other dimension
// first.
enum { LAYOUT_BYTES = 48 << 10, B_AT = 24 << 10 };
struct layout {
    uint32_t leading, stride, swizzle, begin;
};
template <int x, int y>
static __global__ void layouts(uint32_t *out, struct layout of_a,
                               struct layout of_b)
{
    extern __shared__ __align__(1024) __nv_bfloat16 tile[];
    float d[32];

    for (uint32_t e = threadIdx.x; e < LAYOUT_BYTES / sizeof *tile; e += GROUP)
        tile[e] = __float2bfloat16((float)(int)(mix(e) % 15) - 7);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const char *bytes = (const char *)tile;
    uint64_t a = descriptor(bytes + of_a.begin, of_a.leading, of_a.stride,
                            of_a.swizzle);
    uint64_t b = descriptor(bytes + B_AT + of_b.begin, of_b.leading,
                            of_b.stride, of_b.swizzle);
    HAS_WGMMA(
    FENCE;
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
                 "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,"
                 "%30,%31}, %32, %33, 0, 1, 1, %34, %35;"
                 : SUMS_32("=f", d)
                 : "l"(a), "l"(b), "n"(x), "n"(y));
    WAIT;)
    (void)a, (void)b;
    for (int r = 0; r < 32; r++)
        out[threadIdx.x * 32 + r] = __float_as_uint(d[r]);
}

static void all_layouts()
{
    static const struct layout sets[] = {{128, 256, 0, 0},
                                         {1024, 128, 0, 16},
                                         {512, 1024, 0, 128},
                                         {16, 1024, 1, 0},
                                         {1024, 2048, 1, 32},
                                         {2048, 1024, 1, 1024},
                                         {16, 512, 2, 0},
                                         {2048, 1024, 2, 32},
                                         {1024, 512, 2, 512},
                                         {16, 256, 3, 0},
                                         {1024, 512, 3, 256},
                                         {512, 2048, 3, 0}};
    char name[64];
    int n = 0;

    for (const struct layout &a : sets)
        for (const struct layout &b : sets) {
            n++;
            if (n % 5 != 1 && &a != &b)
                continue;
            // At most some 21 KiB from either beginning.
#define ONE(x, y)                                                             \
    layouts<x, y><<<1, GROUP, LAYOUT_BYTES>>>((uint32_t *)results, a, b);     \
    snprintf(name, sizeof name, "layout_%u.%u.%u.%u_%u.%u.%u.%u_" #x #y,      \
             a.leading, a.stride, a.swizzle, a.begin, b.leading, b.stride,    \
             b.swizzle, b.begin);                                             \
    print_digest(name, GROUP * 32)
            ONE(0, 0);
            ONE(0, 1);
            ONE(1, 0);
            ONE(1, 1);
        }
}

static void wgmma_all(uint32_t trials)
{
#define X(name, sums, text, rest, ta, tb, tc)                                 \
    for (uint32_t family = 0; family < FAMILIES; family++)                    \
        for (uint32_t trial = 0; trial < trials; trial++) {                   \
            run_##name<<<1, GROUP>>>((uint32_t *)results, family, trial);     \
            print(#name, family, trial, GROUP * sums);                        \
        }
    WGMMA_FORMS(X)
#undef X
    all_layouts();
}
#else
static void wgmma_all(uint32_t) {}
#endif

int main(int argc, char **argv)
{
    uint32_t trials = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    cudaDeviceProp device;

    cuda(cudaGetDeviceProperties(&device, 0), "device");
    cuda(cudaMalloc(&results, MOST * sizeof *words), "memory");
#define X(name, shape, text, a, b, c)                                         \
    for (uint32_t family = 0; family < FAMILIES; family++)                    \
        for (uint32_t trial = 0; trial < trials; trial++) {                   \
            mma_##name<<<1, WARP>>>((uint32_t *)results, family, trial);      \
            print("mma_" #name, family, trial, WARP * DIGIT(shape, 0));       \
        }
    HALF_FORMS(X) BYTE_FORMS(X) KNOWN_SMALL_FORMS(X)
#undef X
#define X(name, shape, text, a, b, c)                                         \
    for (uint32_t family = 0; family < FAMILIES; family++)                    \
        for (uint32_t trial = 0; trial < trials; trial++) {                   \
            mma_##name<<<1, WARP>>>((double *)results, family, trial);        \
            print("mma_" #name, family, trial, 2 * WARP * DIGIT(shape, 0));   \
        }
    DOUBLE_FORMS(X)
#undef X
    wmma_all(trials);
    if (device.major == 9)
        wgmma_all(trials);
    return 0;
}
