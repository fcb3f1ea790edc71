// SPDX-License-Identifier: MIT
// arch: 90
/*
 * intrinsics.cu: CUDA's device functions, each on the same 512 inputs.
 *
 * What is exact (exact.inc) prints a line "name hash"; h200.txt holds what an
 * H200 printed. What has an error bound (near.inc) is held to it here, and
 * prints only where it is not; --errors prints the worst of each.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

/* CUDA 11 has bf16 on the device from compute_80 on. */
#if CUDART_VERSION >= 12000 || !defined BEFORE_80
#define HAS_BF16
#endif

typedef unsigned long long u64;
enum { N = 512 };
#define PI 3.14159265358979323846

/* The result's bits. All NaNs of a format are one. */
static __device__ u64 bits(u64 x) { return x; }
static __device__ u64 bits(long long x) { return (u64)x; }
static __device__ u64 bits(unsigned x) { return x; }
static __device__ u64 bits(int x) { return (u64)(long long)x; }
static __device__ u64 bits(long x) { return (u64)x; }
static __device__ u64 bits(short x) { return (u64)(long long)x; }
static __device__ u64 bits(unsigned short x) { return x; }
static __device__ u64 bits(float x)
{
    return isnan(x) ? 0x7fffffffu : __float_as_uint(x);
}
static __device__ u64 bits(double x)
{
    return isnan(x) ? 0x7fffffffffffffffull : (u64)__double_as_longlong(x);
}
static __device__ u64 bits(__half x)
{
    return __hisnan(x) ? 0x7fffu : __half_as_ushort(x);
}
static __device__ __half low(__half2 x) { return __low2half(x); }
static __device__ __half high(__half2 x) { return __high2half(x); }
static __device__ u64 bits(__half2 x)
{
    return bits(low(x)) | bits(high(x)) << 16;
}
#ifdef HAS_BF16
static __device__ u64 bits(__nv_bfloat16 x)
{
    return __hisnan(x) ? 0x7fffu : __bfloat16_as_ushort(x);
}
static __device__ __nv_bfloat16 low(__nv_bfloat162 x)
{
    return __low2bfloat16(x);
}
static __device__ __nv_bfloat16 high(__nv_bfloat162 x)
{
    return __high2bfloat16(x);
}
static __device__ u64 bits(__nv_bfloat162 x)
{
    return bits(low(x)) | bits(high(x)) << 16;
}
#endif
static __device__ u64 frexp_bits(float x)
{
    int e = 0;
    float m = frexpf(x, &e);
    return bits(m) ^ (u64)(unsigned)e << 32;
}
static __device__ u64 modf_bits(float x)
{
    float whole, part = modff(x, &whole);
    return bits(part) ^ bits(whole) << 32;
}

/* Inputs by class. */
struct U { typedef unsigned type; };
struct L { typedef u64 type; };
struct F { typedef float type; };
struct D { typedef double type; };
struct H { typedef __half2 type; };
struct B { typedef __nv_bfloat162 type; };
template <class T> static __host__ __device__ T from_bits(u64 x)
{
    T value;
    memcpy(&value, &x, sizeof value);
    return value;
}

/* Into [-m, m], exactly: the same on both sides. */
static __host__ __device__ float LIMIT(float x, float m) { return fmodf(x, m); }
static __host__ __device__ double LIMIT(double x, double m)
{
    return fmod(x, m);
}

namespace exact {
#define OP(class, name, result)                                                \
    struct class##_##name {                                                    \
        typedef class::type type;                                              \
        static __device__ u64 f(type a, type b, type c)                        \
        {                                                                      \
            (void)a, (void)b, (void)c;                                         \
            return result;                                                     \
        }                                                                      \
    };
#include "exact.inc"
#undef OP
}

namespace near {
#define NEAR(class, name, result, wanted, ulps, unit)                          \
    struct class##_##name {                                                    \
        typedef class::type type;                                              \
        static __device__ u64 f(type a, type b, type c)                        \
        {                                                                      \
            (void)a, (void)b, (void)c;                                         \
            return bits(result);                                               \
        }                                                                      \
        static long double want(u64 ra, u64 rb)                                \
        {                                                                      \
            type a = from_bits<type>(ra), b = from_bits<type>(rb);             \
            (void)b;                                                           \
            return wanted;                                                     \
        }                                                                      \
    };
#include "near.inc"
#undef NEAR
}

template <class Op> __global__ void run(const u64 *in, u64 *out)
{
    typedef typename Op::type T;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = Op::f(from_bits<T>(in[i]), from_bits<T>(in[N + i]),
                   from_bits<T>(in[2 * N + i]));
}

typedef void kernel(const u64 *in, u64 *out);

static const struct {
    char input;
    const char *name;
    kernel *k;
} exact_ops[] = {
#define OP(class, name, result)                                                \
    {#class[0], #class "_" #name, run<exact::class##_##name>},
#include "exact.inc"
#undef OP
};

static const struct {
    char input;
    const char *name;
    kernel *k;
    long double (*want)(u64 a, u64 b);
    double ulps, unit;
} near_ops[] = {
#define NEAR(class, name, result, wanted, ulps, unit)                          \
    {#class[0], #class "_" #name, run<near::class##_##name>,                   \
     near::class##_##name::want, ulps, unit},
#include "near.inc"
#undef NEAR
};

static u64 state;

static u64 next(void)
{
    u64 x = state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static const u64 integers[] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 0x7f, 0x80,
    0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000u, 0xffffffffu,
    0x7fffffffffffffffull, 0x8000000000000000ull, ~0ull, 0x01020304u};
static const float floats[] = {0.0f, -0.0f, 1, -1, 0.5f, 1.5f, 2.5f, -2.5f,
    3, 1e-40f, -1e-45f, FLT_MIN, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN,
    2147483648.0f, 4294967296.0f, 9.2e18f, 0.49999997f, 8388609.0f, 1e30f};
static const double doubles[] = {0.0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 3,
    5e-324, DBL_MIN, DBL_MAX, -DBL_MAX, INFINITY, -INFINITY, NAN, 2147483647.5,
    4294967295.5, 9.3e18, 1.9e19, 1e-40, 65504, 65520, 4503599627370497.5};

template <class T> static u64 to_bits(T x)
{
    u64 b = 0;
    memcpy(&b, &x, sizeof x);
    return b;
}

/* A third awkward, a third of middling size, a third any bits. */
static u64 input(char type)
{
    u64 x = next(), pick = next() >> 3;
    int kind = (int)(next() % 3);
    double middling = ((double)(x >> 12) / (1ull << 51) - 1) *
                      pow(2.0, (double)(pick % 24) - 8);
    if (type == 'F')
        return kind == 0   ? to_bits(floats[pick % (sizeof floats / 4)])
               : kind == 1 ? to_bits((float)middling) : x & 0xffffffffu;
    if (type == 'D')
        return kind == 0   ? to_bits(doubles[pick % (sizeof doubles / 8)])
               : kind == 1 ? to_bits(middling) : x;
    return kind == 0 ? integers[pick % (sizeof integers / 8)]
                     : kind == 1 ? x >> (pick & 63) : x;
}

static u64 in[3 * N], out[N];
static u64 *d_in, *d_out;

static bool fill_and_run(char type, kernel *k)
{
    state = (u64)type;
    for (int i = 0; i < 3 * N; i++)
        in[i] = input(type);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    k<<<N / 128, 128>>>(d_in, d_out);
    cudaError_t error = cudaMemcpy(out, d_out, sizeof out,
                                   cudaMemcpyDeviceToHost);
    if (error)
        printf("%s\n", cudaGetErrorName(error));
    return error == cudaSuccess;
}

static u64 hash(void)
{
    u64 h = 14695981039346656037ull;
    for (int i = 0; i < N; i++)
        for (int byte = 0; byte < 8; byte++)
            h = (h ^ (out[i] >> 8 * byte & 255)) * 1099511628211ull;
    return h;
}

/* In ulps of the format; a result that only overflows where the bound lets it
 * is not looked at. */
static double error_of(char type, u64 got, long double want, double unit)
{
    bool single = type == 'F';
    long double value = single ? from_bits<float>(got) : from_bits<double>(got);
    long double least = single ? FLT_MIN : DBL_MIN;
    long double most = single ? FLT_MAX / 4 : DBL_MAX / 4;
    if (want != want || fabsl(want) < least || fabsl(want) > most)
        return 0;
    if (unit > 0)
        return (double)(fabsl(value - want) / unit);
    int exponent;
    frexpl(want, &exponent);
    double error = (double)ldexpl(fabsl(value - want),
                                  (single ? 24 : 53) - exponent);
    return error == error ? error : INFINITY;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "--errors") == 0, good = true;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    for (size_t op = 0; op < sizeof exact_ops / sizeof *exact_ops; op++) {
        if (!fill_and_run(exact_ops[op].input, exact_ops[op].k))
            return 1;
        printf("%s %016llx\n", exact_ops[op].name, hash());
    }
    for (size_t op = 0; op < sizeof near_ops / sizeof *near_ops; op++) {
        double worst = 0, bound = near_ops[op].unit > 0 ? 1 : near_ops[op].ulps;
        int at = 0;
        if (!fill_and_run(near_ops[op].input, near_ops[op].k))
            return 1;
        for (int i = 0; i < N; i++) {
            double e = error_of(near_ops[op].input, out[i],
                                near_ops[op].want(in[i], in[N + i]),
                                near_ops[op].unit);
            if (!(e <= worst)) {
                worst = e;
                at = i;
            }
        }
        /* The bound is from the rounded result, wanted is exact. */
        if (!(worst <= bound + 0.5)) {
            good = false;
            printf("%s: %.2f ulps off, %g allowed, for %016llx %016llx: "
                   "%016llx\n", near_ops[op].name, worst, bound, in[at],
                   in[N + at], out[at]);
        } else if (verbose) {
            printf("%s: %.2f of %g\n", near_ops[op].name, worst, bound);
        }
    }
    return good ? 0 : 1;
}
