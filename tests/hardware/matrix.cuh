// SPDX-License-Identifier: MIT
/*
 * matrix.cuh: the forms of mma.sync that matrix.cu and tensor_rates.cu try, and
 * their inputs: a hash of form, family, trial, operand, lane and register.
 *
 *   operand      a register of inputs
 *   MMA_*        an instruction, by its numbers of registers of D, A and B
 *   *_FORMS      X(name, registers, spelling, type of A, of B, of C)
 */
#ifndef MATRIX_CUH
#define MATRIX_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>

enum { FAMILIES = 3, WARP = 32 };

static void cuda(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "matrix: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

// Inputs ----------------------------------------------------------------------

static __host__ __device__ uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// Who asks: which product, and which of its operands.
struct origin {
    uint32_t form, family, trial, operand;
};

static __host__ __device__ uint32_t random_at(struct origin o, uint32_t place)
{
    uint32_t h = mix(o.form * 4 + o.operand + 1);
    h = mix(h ^ (o.family * 65536 + o.trial));
    return mix(h + place);
}

// A number of a format from 64 random bits: exponents within spread.
static __host__ __device__ uint64_t number(uint64_t bits, int exponent,
                                           int mantissa, uint32_t family,
                                           int spread)
{
    int most = (1 << exponent) - 2, bias = most / 2;
    uint64_t sign = bits >> 63;
    uint64_t fraction = bits & (((uint64_t)1 << mantissa) - 1);
    int e = bias - spread / 2 + (int)((bits >> 53 & 0x3ff) % (uint32_t)spread);

    if (family == 2)
        return bits >> (63 - exponent - mantissa);
    if (family == 0 && (bits >> 59 & 15) == 0)
        return 0;
    e = e < 1 ? 1 : e > most ? most : e;
    return sign << (exponent + mantissa) | (uint64_t)e << mantissa | fraction;
}

enum type { F16, BF16, TF32, E4M3, E5M2, BITS, F32, F16_SUM, F32_SUM, F64 };

// A register: as many numbers as it holds.
static __host__ __device__ uint64_t operand(enum type type, struct origin o,
                                            uint32_t place)
{
    static constexpr struct { int exponent, mantissa, size, near, far; }
    formats[] = {{5, 10, 16, 4, 24}, {8, 7, 16, 4, 24}, {8, 23, 32, 4, 24},
                 {4, 3, 8, 4, 14},   {5, 2, 8, 4, 24},  {0, 32, 32, 1, 1},
                 {8, 23, 32, 4, 24}, {5, 10, 16, 8, 20}, {8, 23, 32, 8, 40},
                 {11, 52, 64, 4, 40}};
    int exponent = formats[type].exponent, mantissa = formats[type].mantissa;
    int size = formats[type].size;
    uint64_t all = 0;

    if (type == BITS)
        return random_at(o, place);
    for (int at = 0; at < (size == 64 ? 64 : 32); at += size) {
        uint64_t bits = (uint64_t)random_at(o, 256 * place + at) << 32 |
                        random_at(o, 256 * place + at + 128);
        all |= number(bits, exponent, mantissa, o.family,
                      o.family ? formats[type].far : formats[type].near)
               << at;
    }
    return all;
}

// mma.sync --------------------------------------------------------------------

// By the numbers of registers of D and C, A, and B.
#define MMA_442(text, k)                                                      \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "              \
                      "{%10,%11,%12,%13};"                                    \
                 : "=" k(d[0]), "=" k(d[1]), "=" k(d[2]), "=" k(d[3])         \
                 : k(a[0]), k(a[1]), k(a[2]), k(a[3]), k(b[0]), k(b[1]),      \
                   k(c[0]), k(c[1]), k(c[2]), k(c[3]))
#define MMA_421(text, k)                                                      \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"        \
                 : "=" k(d[0]), "=" k(d[1]), "=" k(d[2]), "=" k(d[3])         \
                 : k(a[0]), k(a[1]), k(b[0]), k(c[0]), k(c[1]), k(c[2]),      \
                   k(c[3]))
#define MMA_242(text, k)                                                      \
    asm volatile(text " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"            \
                 : "=" k(d[0]), "=" k(d[1])                                   \
                 : k(a[0]), k(a[1]), k(a[2]), k(a[3]), k(b[0]), k(b[1]),      \
                   k(c[0]), k(c[1]))
#define MMA_221(text, k)                                                      \
    asm volatile(text " {%0,%1}, {%2,%3}, {%4}, {%5,%6};"                     \
                 : "=" k(d[0]), "=" k(d[1])                                   \
                 : k(a[0]), k(a[1]), k(b[0]), k(c[0]), k(c[1]))
#define MMA_211(text, k)                                                      \
    asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};"                        \
                 : "=" k(d[0]), "=" k(d[1])                                   \
                 : k(a[0]), k(b[0]), k(c[0]), k(c[1]))
#define MMA_484(text, k)                                                      \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "         \
                      "{%12,%13,%14,%15}, {%16,%17,%18,%19};"                 \
                 : "=" k(d[0]), "=" k(d[1]), "=" k(d[2]), "=" k(d[3])         \
                 : k(a[0]), k(a[1]), k(a[2]), k(a[3]), k(a[4]), k(a[5]),      \
                   k(a[6]), k(a[7]), k(b[0]), k(b[1]), k(b[2]), k(b[3]),      \
                   k(c[0]), k(c[1]), k(c[2]), k(c[3]))

#define SYNC "mma.sync.aligned."
#define HALF_FORMS(X)                                                         \
    X(m16n8k8_f32_f16, 421, "m16n8k8.row.col.f32.f16.f16.f32", F16, F16,      \
      F32_SUM)                                                                \
    X(m16n8k16_f32_f16, 442, "m16n8k16.row.col.f32.f16.f16.f32", F16, F16,    \
      F32_SUM)                                                                \
    X(m16n8k8_f16_f16, 221, "m16n8k8.row.col.f16.f16.f16.f16", F16, F16,      \
      F16_SUM)                                                                \
    X(m16n8k16_f16_f16, 242, "m16n8k16.row.col.f16.f16.f16.f16", F16, F16,    \
      F16_SUM)                                                                \
    X(m16n8k8_f32_bf16, 421, "m16n8k8.row.col.f32.bf16.bf16.f32", BF16, BF16, \
      F32_SUM)                                                                \
    X(m16n8k16_f32_bf16, 442, "m16n8k16.row.col.f32.bf16.bf16.f32", BF16,     \
      BF16, F32_SUM)                                                          \
    X(m16n8k4_f32_tf32, 421, "m16n8k4.row.col.f32.tf32.tf32.f32", TF32, TF32, \
      F32_SUM)                                                                \
    X(m16n8k8_f32_tf32, 442, "m16n8k8.row.col.f32.tf32.tf32.f32", TF32, TF32, \
      F32_SUM)
#define BYTE_FORMS(X)                                                         \
    X(m8n8k16_s8_s8, 211, "m8n8k16.row.col.s32.s8.s8.s32", BITS, BITS, BITS)  \
    X(m8n8k16_u8_s8, 211, "m8n8k16.row.col.s32.u8.s8.s32", BITS, BITS, BITS)  \
    X(m16n8k16_s8_s8, 421, "m16n8k16.row.col.s32.s8.s8.s32", BITS, BITS,      \
      BITS)                                                                   \
    X(m16n8k16_s8_u8, 421, "m16n8k16.row.col.satfinite.s32.s8.u8.s32", BITS,  \
      BITS, BITS)                                                             \
    X(m16n8k32_s8_s8, 442, "m16n8k32.row.col.s32.s8.s8.s32", BITS, BITS,      \
      BITS)                                                                   \
    X(m16n8k32_u8_u8, 442, "m16n8k32.row.col.s32.u8.u8.s32", BITS, BITS,      \
      BITS)                                                                   \
    X(m16n8k32_sat_s8, 442, "m16n8k32.row.col.satfinite.s32.s8.s8.s32", BITS, \
      BITS, BITS)                                                             \
    X(m8n8k32_s4_s4, 211, "m8n8k32.row.col.s32.s4.s4.s32", BITS, BITS, BITS)  \
    X(m16n8k32_u4_s4, 421, "m16n8k32.row.col.s32.u4.s4.s32", BITS, BITS,      \
      BITS)                                                                   \
    X(m16n8k64_s4_s4, 442, "m16n8k64.row.col.s32.s4.s4.s32", BITS, BITS, BITS)
// Of fp8: numbered with every toolkit, tried with those that know it.
#define SMALL_FORMS(X)                                                        \
    X(m16n8k32_e4m3, 442, "m16n8k32.row.col.f32.e4m3.e4m3.f32", E4M3, E4M3,   \
      F32_SUM)                                                                \
    X(m16n8k32_e5m2, 442, "m16n8k32.row.col.f32.e5m2.e5m2.f32", E5M2, E5M2,   \
      F32_SUM)                                                                \
    X(m16n8k32_e4m3_e5m2, 442, "m16n8k32.row.col.f32.e4m3.e5m2.f32", E4M3,    \
      E5M2, F32_SUM)
#if CUDART_VERSION >= 12040
#define KNOWN_SMALL_FORMS(X) SMALL_FORMS(X)
#else
#define KNOWN_SMALL_FORMS(X)
#endif
#define DOUBLE_FORMS(X)                                                       \
    X(m8n8k4_f64, 211, "m8n8k4.row.col.f64.f64.f64.f64", F64, F64, F64)       \
    X(m16n8k4_f64, 421, "m16n8k4.row.col.f64.f64.f64.f64", F64, F64, F64)     \
    X(m16n8k8_f64, 442, "m16n8k8.row.col.f64.f64.f64.f64", F64, F64, F64)     \
    X(m16n8k16_f64, 484, "m16n8k16.row.col.f64.f64.f64.f64", F64, F64, F64)

enum form {
#define X(name, shape, text, a, b, c) FORM_##name,
    HALF_FORMS(X) BYTE_FORMS(X) SMALL_FORMS(X) DOUBLE_FORMS(X)
#undef X
    FORM_WMMA = 100, FORM_WGMMA = 200, 
};

// Registers of D and C, A, and B from the digits of a shape.
#define DIGIT(shape, n) (#shape[n] - '0')

template <class Word>
static __device__ void fill(Word *r, int n, enum type type, struct origin o,
                            uint32_t which)
{
    o.operand = which;
    for (int k = 0; k < n; k++)
        r[k] = (Word)operand(type, o, 8 * (threadIdx.x % 128) + k);
}

#endif
