// SPDX-License-Identifier: MIT
/* exact.cu: results that are easy to get nearly right: 128-bit division and
 * remainder; fp32 atomics, which flush subnormals in global memory and keep
 * them in shared memory; a kernel that writes a __managed__ variable before the
 * host has touched it. */
#include "../check.h"

typedef unsigned __int128 wide;

enum { CASES = 64 };

__managed__ int written;

__global__ void divide(const wide *a, const wide *b, wide *q, wide *r)
{
    int i = threadIdx.x;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}

__global__ void add(float *global, float *out, float small)
{
    __shared__ float shared;
    shared = *out = 0;
    __syncwarp();
    atomicAdd(&shared, small);
    atomicAdd(global, small);
    __syncwarp();
    *out = shared;
}

__global__ void write(int value)
{
    written = value;
}

static unsigned next_word(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state;
}

static wide any_wide(unsigned *state)
{
    wide x = 0;
    for (int k = 0; k < 4; k++)
        x = x << 32 | next_word(state);
    return x >> next_word(state) / (1u << 25);
}

static void divisions(void)
{
    unsigned state = 1;
    wide *a;
    CUDA(cudaMallocManaged(&a, 4 * CASES * sizeof *a));
    wide *b = a + CASES, *q = b + CASES, *r = q + CASES;
    for (int i = 0; i < CASES; i++) {
        a[i] = any_wide(&state);
        b[i] = any_wide(&state) | 1;
    }
    divide<<<1, CASES>>>(a, b, q, r);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < CASES; i++)
        CHECK(q[i] == a[i] / b[i] && r[i] == a[i] % b[i]);
    CUDA(cudaFree(a));
}

static void subnormals(void)
{
    const float small = 1e-40f;
    float *x, got[2] = {small, 0};
    CUDA(cudaMalloc(&x, sizeof got));
    CUDA(cudaMemcpy(x, got, sizeof got, cudaMemcpyHostToDevice));
    add<<<1, 1>>>(x, x + 1, small);
    CUDA(cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 0);
    CHECK(got[1] == small);
    CUDA(cudaFree(x));
}

int main(void)
{
    write<<<1, 1>>>(5);
    CUDA(cudaDeviceSynchronize());
    CHECK(written == 5);
    divisions();
    subnormals();
    return 0;
}
