// SPDX-License-Identifier: MIT
/* monte_carlo.cu: pi from random points, one generator per thread; the price
 * of an option from random walks, against its closed form. */
#include "../check.h"

#include <math.h>

enum { THREADS = 128, BLOCKS = 16, POINTS = 120 };

static __host__ __device__ unsigned next(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    unsigned x = (unsigned)((*state >> 18 ^ *state) >> 27);
    unsigned turn = (unsigned)(*state >> 59);
    return x >> turn | x << (-turn & 31);
}

static __device__ float uniform(unsigned long long *state)
{
    return ((float)(next(state) >> 8) + 0.5f) / (1 << 24);
}

__global__ void count_inside(unsigned long long *inside)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, mine = 0;
    unsigned long long state = 12345 + 7919ull * thread;
    for (int i = 0; i < POINTS; i++) {
        float x = uniform(&state), y = uniform(&state);
        mine += x * x + y * y < 1.0f;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(inside, (unsigned long long)mine);
}

/* A call at strike 100 on a share at 100, one year, 20 % volatility, 5 %
 * interest; Box and Muller make two walks of two numbers. */
__global__ void price(double *sum)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long state = 999 + 104729ull * thread;
    double mine = 0;
    for (int i = 0; i < POINTS / 2; i++) {
        float radius = sqrtf(-2 * logf(uniform(&state)));
        float s, c;
        sincosf(6.2831853f * uniform(&state), &s, &c);
        mine += fmaxf(100 * expf(0.03f + 0.2f * radius * s) - 100, 0);
        mine += fmaxf(100 * expf(0.03f + 0.2f * radius * c) - 100, 0);
    }
    atomicAdd(sum, mine * exp(-0.05));
}

int main(void)
{
    const double n = (double)THREADS * BLOCKS * POINTS;
    unsigned long long inside, *d_inside;
    double sum, *d_sum;
    CUDA(cudaMalloc(&d_inside, sizeof inside));
    CUDA(cudaMalloc(&d_sum, sizeof sum));
    CUDA(cudaMemset(d_inside, 0, sizeof inside));
    CUDA(cudaMemset(d_sum, 0, sizeof sum));
    count_inside<<<BLOCKS, THREADS>>>(d_inside);
    price<<<BLOCKS, THREADS>>>(d_sum);
    CUDA(cudaMemcpy(&inside, d_inside, sizeof inside, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    /* Four standard errors. */
    CHECK(fabs(4 * inside / n - 3.14159265) < 4 * 1.65 / sqrt(n));
    CHECK(fabs(sum / n - 10.4506) < 4 * 14.8 / sqrt(n));
    CUDA(cudaFree(d_inside));
    CUDA(cudaFree(d_sum));
    return 0;
}
