// SPDX-License-Identifier: MIT
/*
 * residency.cu: do two blocks of 1024 threads of one multiprocessor run side
 * by side? A line for each loop: the share of a block's time in which the other
 * one was between its barriers too, a block's time, and the grid's, from the
 * first barrier to the last.
 *
 *   nvcc -O3 -arch=native -o residency tests/hardware/residency.cu
 *   ./residency
 *
 * walk: all lanes load one constant, the next one each time; near_2: two
 * neighbouring ones; fma: multiply-adds, each of which needs the one before.
 * What a load costs follows from the grid's time over the loads of both blocks,
 * however they overlap: a block's own clocks, which caches.cu and rates.cu
 * print, count what the other one does meanwhile.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>

enum { BLOCK = 1024, REPEAT = 64, UNROLL = 8, CONSTANTS = 16384, WORDS = 1024 };
enum kind { WALK, NEAR_2, FMA };

struct times {
    unsigned long long sm, begin, end; // begin, end: nanoseconds
    long long clocks;
};

static __constant__ unsigned table[CONSTANTS];

static void cuda(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "residency: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static __device__ unsigned multiprocessor(void)
{
    unsigned x;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(x));
    return x;
}

static __device__ unsigned long long nanoseconds(void)
{
    unsigned long long x;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(x));
    return x;
}

template <kind KIND>
static __global__ void work(unsigned mask, unsigned *out, times *t)
{
    unsigned sum = threadIdx.x;
    float f = threadIdx.x;

    __syncthreads();
    unsigned long long begin = nanoseconds();
    long long first = clock64();
    for (int r = 0; r < REPEAT; r++)
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (KIND == WALK)
                sum += table[(r * UNROLL + u) & mask] ^ sum;
            else if (KIND == NEAR_2)
                sum += table[(r * UNROLL + u + threadIdx.x % 2) & mask] ^ sum;
            else
                f = f * f + r;
    __syncthreads();
    if (threadIdx.x == 0)
        t[blockIdx.x] = {multiprocessor(), begin, nanoseconds(),
                         clock64() - first};
    if (sum == 12345 || f == 1.5f)
        *out = sum;
}

static double together(const times &a, const times &b)
{
    unsigned long long from = std::max(a.begin, b.begin);
    unsigned long long to = std::min(a.end, b.end);

    return a.sm == b.sm && to > from ? (double)(to - from) : 0;
}

template <kind KIND>
static void print(const char *name, int blocks)
{
    double inside = 0, both = 0, clocks = 0;
    unsigned long long begin, end = 0;
    unsigned *out;
    times *t;

    cuda(cudaMallocManaged(&out, sizeof *out), "memory");
    cuda(cudaMallocManaged(&t, blocks * sizeof *t), "memory");
    for (int thrice = 0; thrice < 3; thrice++)
        work<KIND><<<blocks, BLOCK>>>(WORDS - 1, out, t);
    cuda(cudaDeviceSynchronize(), name);
    begin = t[0].begin;
    for (int a = 0; a < blocks; a++) {
        inside += (double)(t[a].end - t[a].begin);
        clocks += (double)t[a].clocks;
        begin = std::min(begin, t[a].begin);
        end = std::max(end, t[a].end);
        for (int b = 0; b < blocks; b++)
            both += a != b ? together(t[a], t[b]) : 0;
    }
    printf("%s: both %.2f, block %.0f ns (%.0f clocks), grid %.0f ns\n", name,
           both / inside, inside / blocks, clocks / blocks,
           (double)(end - begin));
}

int main()
{
    int sms;

    cuda(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0),
         "device");
    print<WALK>("walk", 2 * sms);
    print<NEAR_2>("near_2", 2 * sms);
    print<FMA>("fma", 2 * sms);
    return 0;
}
