// SPDX-License-Identifier: MIT
// mistake: 64 KiB of dynamic shared memory without cudaFuncSetAttribute
// chapter: 01 add
// expect: LAUNCH
// say: 65536 bytes of dynamic shared memory; at most 49152
// say: on this GPU at most 2[0-9]*
// say: cudaFuncSetAttribute was not called for it
// say: next +Before the launch, cudaFuncSetAttribute\(add,
//> todo launch
    unsigned n = shape.N, in_block = THREADS * EACH;
    unsigned blocks = (n + in_block - 1) / in_block;

    add<<<blocks, THREADS, 65536, stream>>>(a, b, c, n);
