// SPDX-License-Identifier: MIT
// honest: a grid-stride loop
// chapter: 01 add
// expect: PASS
//> todo kernel
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n;
         i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
//< todo
//> todo launch
    add<<<32, 160, 0, stream>>>(a, b, c, shape.N);
//< todo
