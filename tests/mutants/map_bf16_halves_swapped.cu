// SPDX-License-Identifier: MIT
// mutant: the two elements of a pair change places
// chapter: 18 relu_bf16
// expect: WRONG misplaced
// say: of each 2 .* along i the halves (are|were) exchanged
//> todo values
    unsigned *pair = (unsigned *)&v;

#pragma unroll
    for (int e = 0; e < VECTOR / 2; e++) {
        float2 f = __bfloat1622float2(*(__nv_bfloat162 *)&pair[e]);
        __nv_bfloat162 r = __floats2bfloat162_rn(value(f.y), value(f.x));

        pair[e] = *(unsigned *)&r;
    }
//< todo
