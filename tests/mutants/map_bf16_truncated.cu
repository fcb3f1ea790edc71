// SPDX-License-Identifier: MIT
// mutant: cuts off the low half of the fp32 in place of rounding
// chapter: 18 sigmoid_bf16
// expect: WRONG
//> todo values
    unsigned *pair = (unsigned *)&v;

#pragma unroll
    for (int e = 0; e < VECTOR / 2; e++) {
        float low = value(__uint_as_float(pair[e] << 16));
        float high = value(__uint_as_float(pair[e] & 0xffff0000u));

        pair[e] = __float_as_uint(low) >> 16 |
                  (__float_as_uint(high) & 0xffff0000u);
    }
//< todo
