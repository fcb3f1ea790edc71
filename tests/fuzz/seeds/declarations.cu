// SPDX-License-Identifier: MIT
// What a module can declare: a seed for the fuzzer, small on purpose.
#include <cstdio>

struct pair {
    char tag;
    double value;
};
typedef int (*function)(int);

static __device__ int twice(int x) { return 2 * x; }
static __device__ __noinline__ int deep(int n)
{
    return n < 2 ? 1 : n * deep(n - 1);
}
__device__ function table[] = {twice, deep};
__device__ struct pair pairs[2] = {{'a', 1.5}, {'b', -0.0}};
__device__ int *inside = (int *)&pairs[1].value;
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ const char *text = "seed";
extern __shared__ double room[];

extern "C" __global__ void __launch_bounds__(64, 2)
    declarations(struct pair p, int *out, int which)
{
    __shared__ float tile[4][33];
    int own[8];

    for (int i = 0; i < 8; i++)
        own[(i * which) & 7] = i;
    tile[which & 3][threadIdx.x & 31] = weights[which & 3];
    room[threadIdx.x] = p.value;
    __syncthreads();
    out[threadIdx.x] = table[which & 1](*inside + own[which & 7]) +
                       (int)tile[0][0] + (int)room[0];
    printf("%s %d %f\n", text, which, p.value);
}
