// SPDX-License-Identifier: MIT
// honest: a bf16 is the upper half of an fp32
// chapter: 18 sigmoid_bf16
// expect: PASS
//> todo values
    unsigned *pair = (unsigned *)&v;

#pragma unroll
    for (int e = 0; e < VECTOR / 2; e++) {
        __nv_bfloat16 low =
            __float2bfloat16_rn(value(__uint_as_float(pair[e] << 16)));
        __nv_bfloat16 high =
            __float2bfloat16_rn(value(__uint_as_float(pair[e] & 0xffff0000u)));

        pair[e] = __bfloat16_as_ushort(low) |
                  (unsigned)__bfloat16_as_ushort(high) << 16;
    }
//< todo
