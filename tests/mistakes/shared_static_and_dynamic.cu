// SPDX-License-Identifier: MIT
// mistake: all that a block can have as dynamic bytes, beside static ones
// chapter: 01 add
// expect: LAUNCH
// say: 232448 bytes of dynamic shared memory beside 1024 static ones, 233472
// say: cudaFuncSetAttribute allowed 231424 dynamic ones
// say: next +A block of this GPU cannot have so much
//> todo kernel
    __shared__ float sums[THREADS];
    unsigned first = blockIdx.x * blockDim.x * EACH + threadIdx.x;

#pragma unroll
    for (int j = 0; j < EACH; j++) {
        unsigned i = first + j * blockDim.x;

        if (i < n) {
            sums[threadIdx.x] = a[i] + b[i];
            c[i] = sums[threadIdx.x];
        }
    }
//> todo launch
    unsigned n = shape.N, in_block = THREADS * EACH;
    unsigned blocks = (n + in_block - 1) / in_block;

    cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         232448 - THREADS * sizeof(float));
    add<<<blocks, THREADS, 232448, stream>>>(a, b, c, n);
