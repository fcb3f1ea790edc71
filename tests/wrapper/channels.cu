// SPDX-License-Identifier: MIT
/* What a block of chapter 22's clusters is to hold is what it can have. */
#include <stdio.h>

#include "op/channel_cluster.cuh"

__global__ void kernel(void)
{
}

enum { CHANNELS = 128, PLANE = 8192 }; // bytes

int main(void)
{
    const void *of = (const void *)kernel;
    struct channel_plan few = channel_plan_of(of, 8, CHANNELS, PLANE, 32);
    struct channel_plan many = channel_plan_of(of, 16, CHANNELS, PLANE, 32);
    int most;

    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    if (few.blocks != 1)
        fprintf(stderr, "8 images fit, and are not held\n");
    if (many.shared > (size_t)most)
        fprintf(stderr, "%zu bytes of shared memory, and a block has %d\n",
                many.shared, most);
    return few.blocks != 1 || many.shared > (size_t)most;
}
