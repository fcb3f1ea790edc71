// SPDX-License-Identifier: MIT
// mistake: the launcher clears the output, and the kernel is still empty
// chapter: 01 add
// expect: WRONG
// say: the hole "kernel" is empty
//> todo kernel
    // c[i] = a[i] + b[i] for the i of this thread
//< todo
//> todo launch
    cudaMemsetAsync(c, 0, shape.N * sizeof *c, stream);
    add<<<1, 32, 0, stream>>>(a, b, c, shape.N);
//< todo
