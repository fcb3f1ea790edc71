// SPDX-License-Identifier: MIT
// mistake: blocks take numbers from a counter that no launch sets back
// chapter: 01 add
// expect: WRONG
// say: the first launch is right; it is the next one that is not
// say: What does a launch leave in memory that outlives it
// again: CASE= repeats it, in its second launch
//> todo kernel
    static __device__ unsigned queue;
    __shared__ unsigned block;

    if (threadIdx.x == 0)
        block = atomicAdd(&queue, 1);
    __syncthreads();
    unsigned first = block * blockDim.x * EACH + threadIdx.x;

#pragma unroll
    for (int j = 0; j < EACH; j++) {
        unsigned i = first + j * blockDim.x;

        if (i < n)
            c[i] = a[i] + b[i];
    }
//< todo
