// SPDX-License-Identifier: MIT
// mutant: computes in bf16, and rounds at every step
// chapter: 18 swish_bf16
// expect: WRONG rounding
//> todo values
    unsigned *pair = (unsigned *)&v;

#pragma unroll
    for (int e = 0; e < VECTOR / 2; e++) {
        __nv_bfloat162 z = *(__nv_bfloat162 *)&pair[e];
        float2 f = __bfloat1622float2(z);
        __nv_bfloat162 d = __floats2bfloat162_rn(1.0f + __expf(-f.x),
                                                 1.0f + __expf(-f.y));
        float2 g = __bfloat1622float2(d);
        __nv_bfloat162 s = __floats2bfloat162_rn(1.0f / g.x, 1.0f / g.y);
        float2 h = __bfloat1622float2(s);
        __nv_bfloat162 r = __floats2bfloat162_rn(f.x * h.x, f.y * h.y);

        pair[e] = *(unsigned *)&r;
    }
//< todo
