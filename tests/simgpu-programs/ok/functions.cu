// SPDX-License-Identifier: MIT
/* functions.cu: device functions that are not inlined, recursion, local
 * arrays, structures by value, double and 64-bit arithmetic, a switch. */
#include "../check.h"

struct pair {
    double sum;
    long long product;
    short tag;
};

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ struct pair combine(struct pair a, int b)
{
    a.sum += b / 8.0;
    a.product = a.product * b + 1;
    a.tag = (short)(a.tag ^ b);
    return a;
}

__device__ int pick(int which, int x)
{
    switch (which) {
    case 0: return x * x;
    case 1: return -x;
    case 2: return x << 3;
    case 3: return x / 3;
    case 7: return x % 5;
    default: return 1;
    }
}

__global__ void run(int *fib, struct pair *pairs, int *sorted, struct pair init)
{
    int t = threadIdx.x, local[16];
    fib[t] = fibonacci(t % 12);
    for (int i = 0; i < 16; i++)
        local[i] = (t * 31 + i * 17) % 23;
    for (int i = 1; i < 16; i++) { // insertion sort: dynamic local indices
        int v = local[i], j = i;
        for (; j > 0 && local[j - 1] > v; j--)
            local[j] = local[j - 1];
        local[j] = v;
    }
    for (int i = 0; i < 16; i++)
        sorted[t * 16 + i] = local[i];
    for (int i = 0; i < t % 5; i++)
        init = combine(init, t + i);
    init.tag = (short)(init.tag + pick(t % 9, t));
    pairs[t] = init;
}

static int host_pick(int which, int x)
{
    const int table[] = {x * x, -x, x << 3, x / 3, 1, 1, 1, x % 5, 1};
    return table[which];
}

int main(void)
{
    enum { THREADS = 50 };
    int fib[THREADS], sorted[THREADS][16], *dfib, *dsorted;
    struct pair pairs[THREADS], *dpairs, init = {0.25, 3, 9};
    const int expected[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    CUDA(cudaMalloc(&dfib, sizeof fib));
    CUDA(cudaMalloc(&dpairs, sizeof pairs));
    CUDA(cudaMalloc(&dsorted, sizeof sorted));
    run<<<1, THREADS>>>(dfib, dpairs, dsorted, init);
    CUDA(cudaMemcpy(fib, dfib, sizeof fib, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(pairs, dpairs, sizeof pairs, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(sorted, dsorted, sizeof sorted, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++) {
        struct pair p = init;
        for (int i = 0; i < t % 5; i++) {
            p.sum += (t + i) / 8.0;
            p.product = p.product * (t + i) + 1;
            p.tag = (short)(p.tag ^ (t + i));
        }
        p.tag = (short)(p.tag + host_pick(t % 9, t));
        CHECK(fib[t] == expected[t % 12]);
        CHECK(pairs[t].sum == p.sum && pairs[t].product == p.product);
        CHECK(pairs[t].tag == p.tag);
        for (int i = 1; i < 16; i++)
            CHECK(sorted[t][i - 1] <= sorted[t][i]);
    }
    return 0;
}
