// SPDX-License-Identifier: MIT
// mutant: loads of 16 bytes, but stores of 4
// chapter: 03 copy
// expect: TECHNIQUE
// say: why A warp.s store writes 128 bytes
// say: where [^ ]*copy.cu:[0-9]*, with 25 % of the stores
// say: global_store_bytes_per_request
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned vectors = n / VECTOR, rest = n % VECTOR;

    if (i < vectors) {
        float4 v = ((const float4 *)from)[i];
        volatile float *at = to + i * VECTOR;

        at[0] = v.x;
        at[1] = v.y;
        at[2] = v.z;
        at[3] = v.w;
    }
    if (i < rest)
        to[vectors * VECTOR + i] = from[vectors * VECTOR + i];
//< todo
