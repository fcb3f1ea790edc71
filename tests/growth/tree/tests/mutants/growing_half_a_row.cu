// SPDX-License-Identifier: MIT
// mutant: the lanes of the upper half are not added
// chapter: 98 warp
// expect: WRONG
    //> todo kernel (about 8 lines)
    int m = (blockIdx.x * blockDim.x + threadIdx.x) / 32; // may pass M
    int lane = threadIdx.x % 32;
    float sum = 0.0f;

    if (m >= s.M)
        return; // the whole warp
    for (int k = lane; k < s.K; k += 32)
        sum += __bfloat162float(x[(size_t)m * s.K + k]);
    for (int step = 8; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[m] += alpha * sum;
    //< todo
