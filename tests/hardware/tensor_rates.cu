// SPDX-License-Identifier: MIT
/*
 * tensor_rates.cu: how fast tensor cores and matrix loads are, as
 * NAME,VALUE,UNIT lines.
 *
 *   nvcc -O3 -arch=native -o tensor_rates tests/hardware/tensor_rates.cu
 *   ./tensor_rates
 *
 * The model takes its clocks from here (common/simgpu/gpu_rates.c and
 * core/decode/decode_table.c). Throughput: 16 warps on each multiprocessor, each
 * with four independent sums. Latency: one warp, each product's sum the next
 * one's. Both in clocks per warp instruction of a multiprocessor. With the
 * argument `one`, each is launched once, and the program prints how its
 * milliseconds become the row's value (book/predicted-rates.sh). With another
 * one, one launch of each pattern of matrix loads and stores, for Nsight Compute
 * to count.
 */
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "matrix.cuh"

enum { BLOCK = 512, ROUNDS = 256, CHAINS = 4, SMS_MOST = 1024 };

static const double LAUNCH_MS = 2.7e-3; // for `one`

static long long *clocks;
static int sms, khz;
static bool one;

// instructions: of a multiprocessor, among which the launch's clocks are divided.
static void print_one(const char *name, const char *end, double instructions)
{
    printf("%s%s,%g,%g\n", name, end, khz / instructions, LAUNCH_MS);
}

template <class T> struct in_32 { static constexpr bool is = true; };
template <> struct in_32<double> { static constexpr bool is = false; };

static __device__ float any(enum type type, uint32_t place, double *wide,
                            uint32_t *narrow)
{
    struct origin o = {7, 0, threadIdx.x, 0};
    uint64_t bits = operand(type, o, place);

    *narrow = (uint32_t)bits;
    *wide = __longlong_as_double((long long)bits);
    return 0;
}

#define RATE(name, shape, text, ta, tb, tc, Word, k)                          \
    static __global__ void __launch_bounds__(BLOCK)                           \
        rate_##name(long long *to, Word *out, int chains)                     \
    {                                                                         \
        Word a[8], b[4], sum[CHAINS][4];                                      \
        uint32_t narrow;                                                      \
        double wide;                                                          \
                                                                              \
        for (int r = 0; r < 8; r++) {                                         \
            any(ta, r, &wide, &narrow);                                       \
            a[r] = in_32<Word>::is ? (Word)narrow : (Word)wide;               \
            any(tb, 8 + r, &wide, &narrow);                                   \
            b[r % 4] = in_32<Word>::is ? (Word)narrow : (Word)wide;           \
        }                                                                     \
        for (int s = 0; s < CHAINS; s++)                                      \
            for (int r = 0; r < 4; r++)                                       \
                sum[s][r] = 0;                                                \
        __syncthreads();                                                      \
        long long begin = clock64();                                          \
        _Pragma("unroll 1") for (int n = 0; n < ROUNDS; n++)                  \
            _Pragma("unroll") for (int s = 0; s < CHAINS; s++)                \
        {                                                                     \
            Word *d = sum[s], *c = sum[s];                                    \
            if (s < chains)                                                   \
                MMA_##shape(SYNC text, k);                                    \
        }                                                                     \
        __syncthreads();                                                      \
        long long end = clock64();                                            \
        Word all = 0;                                                         \
        for (int s = 0; s < CHAINS; s++)                                      \
            for (int r = 0; r < 4; r++)                                       \
                all += sum[s][r];                                             \
        out[blockIdx.x * BLOCK + threadIdx.x] = all;                          \
        if (threadIdx.x == 0)                                                 \
            to[blockIdx.x] = end - begin;                                     \
    }
#define X(name, shape, text, a, b, c)                                         \
    RATE(name, shape, text, a, b, c, uint32_t, "r")
HALF_FORMS(X) BYTE_FORMS(X) KNOWN_SMALL_FORMS(X)
#undef X
#define X(name, shape, text, a, b, c)                                         \
    RATE(name, shape, text, a, b, c, double, "d")
DOUBLE_FORMS(X)
#undef X

// The median block's clocks.
static double elapsed(int blocks)
{
    std::vector<long long> each(blocks);

    cuda(cudaGetLastError(), "launch");
    cuda(cudaMemcpy(each.data(), clocks, blocks * sizeof each[0],
                    cudaMemcpyDeviceToHost), "clocks");
    std::sort(each.begin(), each.end());
    return (double)each[blocks / 2];
}

template <class Word>
static void print_rate(const char *name,
                       void (*kernel)(long long *, Word *, int), void *out)
{
    for (int warm = 0; warm < (one ? 1 : 2); warm++)
        kernel<<<sms, BLOCK>>>(clocks, (Word *)out, CHAINS);
    if (one) {
        print_one(name, "", BLOCK / WARP * ROUNDS * CHAINS);
        kernel<<<1, WARP>>>(clocks, (Word *)out, 1);
        print_one(name, "_latency", ROUNDS);
        return;
    }
    printf("%s,%.3f,clocks\n", name,
           elapsed(sms) / (BLOCK / WARP) / ROUNDS / CHAINS);
    kernel<<<1, WARP>>>(clocks, (Word *)out, 1);
    printf("%s_latency,%.3f,clocks\n", name, elapsed(1) / ROUNDS);
}

// Matrix loads -----------------------------------------------------------------

enum { TILE = 32 << 10 };

#define LOAD(name, text, n)                                                   \
    static __global__ void name(long long *to, uint32_t *out, int stride,     \
                                int rounds)                                   \
    {                                                                         \
        __shared__ __align__(128) uint32_t tile[TILE / 4];                    \
        uint32_t r[4] = {}, all = 0, at;                                      \
                                                                              \
        for (int w = threadIdx.x; w < TILE / 4; w += blockDim.x)              \
            tile[w] = mix(w);                                                 \
        __syncthreads();                                                      \
        at = (uint32_t)__cvta_generic_to_shared(tile) +                       \
             threadIdx.x % WARP * stride;                                     \
        long long begin = clock64();                                          \
        _Pragma("unroll 4") for (int k = 0; k < rounds; k++)                  \
        {                                                                     \
            asm volatile(text                                                 \
                         : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])     \
                         : "r"(at));                                          \
            all += r[0] ^ r[n - 1];                                           \
        }                                                                     \
        __syncthreads();                                                      \
        long long end = clock64();                                            \
        out[blockIdx.x * blockDim.x + threadIdx.x] = all + tile[threadIdx.x]; \
        if (threadIdx.x == 0)                                                 \
            to[blockIdx.x] = end - begin;                                     \
    }
#define LD "ldmatrix.sync.aligned.m8n8."
#define ST "stmatrix.sync.aligned.m8n8."
LOAD(load_x1, LD "x1.shared.b16 {%0}, [%4];", 2) // ^ 0, lest it be left out
LOAD(load_x2, LD "x2.shared.b16 {%0,%1}, [%4];", 2)
LOAD(load_x4, LD "x4.shared.b16 {%0,%1,%2,%3}, [%4];", 4)
LOAD(load_x4_trans, LD "x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];", 4)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define STORE(text) ""
#else
#define STORE(text) text
#endif
LOAD(store_x1, STORE(ST "x1.shared.b16 [%4], {%0};"), 1)
LOAD(store_x4, STORE(ST "x4.shared.b16 [%4], {%0,%1,%2,%3};"), 4)

static const struct {
    const char *name;
    void (*run)(long long *, uint32_t *, int, int);
} accesses[] = {{"load_x1", load_x1}, {"load_x2", load_x2},
                {"load_x4", load_x4}, {"load_x4_trans", load_x4_trans},
                {"store_x1", store_x1}, {"store_x4", store_x4}};
static const int strides[] = {16, 32, 64, 128, 144, 0};

// Of loads of pairs of equal matrices ptxas leaves out every second one.
static int executed(const char *name)
{
    return strncmp(name, "load", 4) == 0 ? ROUNDS * 2 : ROUNDS;
}

int main(int argc, char **argv)
{
    cudaDeviceProp device;
    void *out;

    cuda(cudaGetDeviceProperties(&device, 0), "device");
    sms = device.multiProcessorCount;
    cuda(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "clock");
    cuda(cudaMalloc(&clocks, SMS_MOST * sizeof *clocks), "memory");
    cuda(cudaMalloc(&out, (size_t)SMS_MOST * BLOCK * sizeof(double)), "memory");
    one = argc > 1 && strcmp(argv[1], "one") == 0;
    if (argc > 1 && !one) {
        for (const auto &x : accesses)
            for (int stride : strides)
                x.run<<<1, WARP>>>(clocks, (uint32_t *)out, stride, 1);
        cuda(cudaDeviceSynchronize(), "accesses");
        return 0;
    }
#define X(name, shape, text, a, b, c) print_rate("mma_" #name, rate_##name, out);
    HALF_FORMS(X) BYTE_FORMS(X) KNOWN_SMALL_FORMS(X) DOUBLE_FORMS(X)
#undef X
    for (const auto &x : accesses)
        for (int stride : strides) {
            x.run<<<sms, BLOCK>>>(clocks, (uint32_t *)out, stride, ROUNDS);
            if (one)
                print_one((std::string(x.name) + "_stride_" +
                           std::to_string(stride)).c_str(), "",
                          BLOCK / WARP * executed(x.name));
            else
                printf("%s_stride_%d,%.3f,clocks\n", x.name, stride,
                       elapsed(sms) / (BLOCK / WARP) / ROUNDS);
        }
    return 0;
}
