// SPDX-License-Identifier: MIT
// mistake: only the first half of a vector goes through the function
// chapter: 18 swish_bf16
// expect: WRONG logic
// say: of each 8 cells along i those from number 4 to 7 are wrong
    //> todo values
    unsigned *pair = (unsigned *)&v; // two elements each

#pragma unroll
    for (int e = 0; e < VECTOR / 4; e++) {
        float2 f = __bfloat1622float2(*(__nv_bfloat162 *)&pair[e]);
        __nv_bfloat162 r = __floats2bfloat162_rn(value(f.x), value(f.y));

        pair[e] = *(unsigned *)&r;
    }
    //< todo
