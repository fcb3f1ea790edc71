// SPDX-License-Identifier: MIT
/* time_outs.cu: kernels that poll until a clock says that it is enough: of a
 * flag that nobody sets, by three clocks; and of flags that come in time, from
 * the host and from another stream. The simulated GPU's clocks leap, so that an
 * hour is over at once; a GPU's do not. */
#include <unistd.h>

#include "../check.h"

enum { GIVEN_UP = 7 };

/* Of ticks or nanoseconds: an hour, or half of one; a second, or two. */
static const long long HOUR = 3600000000000, SECOND = 2000000000;

static __device__ long long now(int clock)
{
    long long t;
    if (clock == 0)
        return clock64();
    if (clock == 1)
        return (long long)(unsigned)::clock();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void poll(volatile int *flag, int *got, int clock, long long limit)
{
    long long since = now(clock), passed = 0;
    int sleep = 8;
    while (*flag == 0 && passed < limit) {
        __nanosleep(sleep);
        sleep = sleep < 256 ? 2 * sleep : 256;
        passed = now(clock) - since;
        if (clock == 1)
            passed = (unsigned)passed;
    }
    got[blockIdx.x * blockDim.x + threadIdx.x] = *flag ? *flag : GIVEN_UP;
}

__global__ void raise(volatile int *flag)
{
    *flag = 1;
}

static int all(const int *got, int is)
{
    int host[128];
    CUDA(cudaMemcpy(host, got, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 128; i++)
        if (host[i] != is)
            return 0;
    return 1;
}

int main(void)
{
    int *flag, *got, *mapped;
    cudaStream_t waits, sets;
    CUDA(cudaMalloc(&flag, sizeof *flag));
    CUDA(cudaMalloc(&got, 128 * sizeof *got));
    CUDA(cudaMallocHost(&mapped, sizeof *mapped));
    CUDA(cudaMemset(flag, 0, sizeof *flag));
    LOAD(raise);
    for (int clock = 0; clock < 3; clock++) {
        poll<<<2, 64>>>(flag, got, clock,
                        SIMULATED && clock != 1 ? HOUR : SECOND);
        CHECK(all(got, GIVEN_UP));
    }

    *mapped = 0;
    poll<<<2, 64>>>(mapped, got, 0, HOUR);
    usleep(500000);
    *(volatile int *)mapped = 5;
    CHECK(all(got, 5));

    CUDA(cudaStreamCreateWithFlags(&waits, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&sets, cudaStreamNonBlocking));
    CUDA(cudaDeviceSynchronize());
    poll<<<2, 64, 0, waits>>>(flag, got, 2, HOUR);
    usleep(500000);
    raise<<<1, 1, 0, sets>>>(flag);
    CUDA(cudaDeviceSynchronize());
    CHECK(all(got, 1));
    return 0;
}
