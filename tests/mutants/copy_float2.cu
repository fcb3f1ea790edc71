// SPDX-License-Identifier: MIT
// mutant: 8 bytes per lane: half of the widest access
// chapter: 03 copy
// expect: TECHNIQUE
// say: why A warp.s load asks for 256 bytes
// say: where [^ ]*copy.cu:[0-9]*, with 100 % of the loads
// say: global_load_bytes_per_request *25
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned vectors = n / 2;

    if (i < vectors)
        ((float2 *)to)[i] = ((const float2 *)from)[i];
    if (i == 0 && n % 2)
        to[n - 1] = from[n - 1];
//< todo
//> todo launch
    unsigned in_block = THREADS * 2;
    unsigned blocks = ((unsigned)shape.N + in_block - 1) / in_block;

    copy<<<blocks, THREADS, 0, stream>>>(from, to, shape.N);
//< todo
