// SPDX-License-Identifier: MIT
// mutant: compares a vector's index with the number of floats
// chapter: 03 copy
// expect: MEMORY
// say: past the end of from
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < (unsigned)n)
        ((float4 *)to)[i] = ((const float4 *)from)[i];
//< todo
