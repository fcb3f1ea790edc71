// SPDX-License-Identifier: MIT
// honest: a fixed grid that strides over the vectors
// chapter: 03 copy
// expect: PASS
//> todo kernel
    unsigned stride = gridDim.x * blockDim.x;
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned vectors = n / VECTOR;

    for (unsigned i = me; i < vectors; i += stride)
        ((float4 *)to)[i] = ((const float4 *)from)[i];
    for (unsigned i = vectors * VECTOR + me; i < (unsigned)n; i += stride)
        to[i] = from[i];
//< todo
//> todo launch
    copy<<<528, THREADS, 0, stream>>>(from, to, shape.N);
//< todo
