// SPDX-License-Identifier: MIT
// mistake: an unsigned index falls below 0
// chapter: 01 add
// expect: MEMORY
// say: in no array: [0-9]+ elements behind
// say: The index is unsigned and fell below 0
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    for (unsigned j = i - 1; i < n && j != i; j++)
        c[j] = a[j] + b[j];
//< todo
