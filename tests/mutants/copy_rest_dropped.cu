// SPDX-License-Identifier: MIT
// mutant: the one to three floats after the last vector are not written
// chapter: 03 copy
// expect: WRONG unwritten
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < (unsigned)n / VECTOR)
        ((float4 *)to)[i] = ((const float4 *)from)[i];
//< todo
