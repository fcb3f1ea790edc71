// SPDX-License-Identifier: MIT
// mistake: more shared memory than a block can have, and a call that fails
// chapter: 01 add
// expect: LAUNCH
// say: 300000 bytes of dynamic shared memory; at most 49152
// say: cudaFuncSetAttribute failed
// say: next +A block of this GPU cannot have so much
//> todo launch
    unsigned n = shape.N, in_block = THREADS * EACH;
    unsigned blocks = (n + in_block - 1) / in_block;

    cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         300000);
    add<<<blocks, THREADS, 300000, stream>>>(a, b, c, n);
