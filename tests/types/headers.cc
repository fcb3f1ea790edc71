// SPDX-License-Identifier: MIT
// headers.cc: type.c's conversions against those of CUDA's own headers, on the
// host: every pattern of the 8- and 16-bit types, and a million doubles. Prints
// what differs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern "C" {
#include "op/type.h"
}

static int wrong;

static void expect(const char *what, double value, double got, double want)
{
    if (got == want || (isnan(got) && isnan(want)))
        return;
    if (wrong++ < 10)
        printf("%s of %.17g: %.17g here, %.17g by the header\n", what, value,
               got, want);
}

static double of_fp16(uint16_t bits)
{
    __half_raw raw;

    raw.x = bits;
    return (double)__half2float(__half(raw));
}

static double of_bf16(uint16_t bits)
{
    __nv_bfloat16_raw raw;

    raw.x = bits;
    return (double)__bfloat162float(__nv_bfloat16(raw));
}

static double of_fp8(uint8_t bits, __nv_fp8_interpretation_t kind)
{
    return of_fp16(__half_raw(__nv_cvt_fp8_to_halfraw(bits, kind)).x);
}

static void decode()
{
    for (unsigned i = 0; i < 0x10000; i++) {
        expect("fp16", i, type_decode(TYPE_FP16, i), of_fp16((uint16_t)i));
        expect("bf16", i, type_decode(TYPE_BF16, i), of_bf16((uint16_t)i));
    }
    for (unsigned i = 0; i < 0x100; i++) {
        expect("e4m3", i, type_decode(TYPE_FP8_E4M3, i),
               of_fp8((uint8_t)i, __NV_E4M3));
        expect("e5m2", i, type_decode(TYPE_FP8_E5M2, i),
               of_fp8((uint8_t)i, __NV_E5M2));
    }
}

static double again(enum type type, double value)
{
    return type_decode(type, type_encode(type, value));
}

static void encode(double v)
{
    float f = (float)v; /* bf16's header rounds from fp32 */

    expect("to fp16", v, again(TYPE_FP16, v),
           (double)__half2float(__double2half(v)));
    expect("to bf16", f, again(TYPE_BF16, f),
           (double)__bfloat162float(__float2bfloat16(f)));
    expect("to e4m3", v, again(TYPE_FP8_E4M3, v),
           of_fp8(__nv_cvt_double_to_fp8(v, __NV_NOSAT, __NV_E4M3), __NV_E4M3));
    expect("to e5m2", v, again(TYPE_FP8_E5M2, v),
           of_fp8(__nv_cvt_double_to_fp8(v, __NV_NOSAT, __NV_E5M2), __NV_E5M2));
}

int main()
{
    decode();
    for (unsigned i = 0; i < 1000000; i++) {
        double v = ldexp((double)(i * 2654435761u), (int)(i % 70) - 62);
        encode(i & 1 ? v : -v);
    }
    for (unsigned i = 0; i < 0x7c00; i++) { // halves, and beside them
        double v = type_decode(TYPE_FP16, i);
        encode(v);
        encode(nextafter(v, 0));
        encode(nextafter(v, INFINITY));
        encode(-v);
    }
    encode(INFINITY);
    encode(-INFINITY);
    encode(NAN);
    if (wrong)
        printf("%d conversions differ\n", wrong);
    return 0;
}
