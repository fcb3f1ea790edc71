// SPDX-License-Identifier: MIT
// mutant: a thread adds four neighbouring elements, one after the other
// chapter: 01 add
// expect: TECHNIQUE
// say: why It fetches 4 times the bytes
// say: where [^ ]*add.cu:[0-9]*, with
//> todo kernel
    unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * EACH;

    for (unsigned i = first; i < first + EACH && i < (unsigned)n; i++)
        c[i] = a[i] + b[i];
//< todo
