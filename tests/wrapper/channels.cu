// SPDX-License-Identifier: MIT
/* What chapter 22's clusters are to hold is what an H200 has room for: 31 that
 * take four multiprocessors each. */
#include <stdio.h>

#include "op/channel_cluster.cuh"

__global__ void kernel(void)
{
}

enum { PLANE = 8192 }; // bytes

static int failures;

static struct channel_plan plan_of(int images, int channels)
{
    const void *of = (const void *)kernel;
    struct channel_plan plan = channel_plan_of(of, images, channels, PLANE, 32);
    int most;

    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    if (plan.shared > (size_t)most) {
        fprintf(stderr, "%zu bytes of shared memory, and a block has %d\n",
                plan.shared, most);
        failures++;
    }
    if (plan.blocks && channels_at_a_time(of, plan, channels) < channels) {
        fprintf(stderr, "%d clusters of %d do not fit\n", channels,
                plan.blocks);
        failures++;
    }
    return plan;
}

static void held(int images, int channels, bool wanted)
{
    if ((plan_of(images, channels).blocks != 0) == wanted)
        return;
    fprintf(stderr, "%d images of %d channels: %s\n", images, channels,
            wanted ? "fit, and are not held" : "are held, and do not fit");
    failures++;
}

int main(void)
{
    held(8, 128, true);
    held(16, 128, true);
    held(80, 31, true);
    held(80, 32, false);
    return failures != 0;
}
