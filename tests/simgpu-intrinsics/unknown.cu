// SPDX-License-Identifier: MIT
// What is not simulated: a scalar video instruction.
__global__ void unknown(int *out)
{
    int sum;

    asm("vadd.s32.s32.s32.sat %0, %1, %2;"
        : "=r"(sum) : "r"(threadIdx.x), "r"(blockIdx.x));
    *out = sum;
}
