// SPDX-License-Identifier: MIT
/* cuda_std.cu: the C++ library for kernels: atomics, a barrier of a block, and
 * the parts of the standard library that run on the device. */
// since: 12
#include "../check.h"

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>

#include <new>

enum { BLOCKS = 8, THREADS = 128, N = BLOCKS * THREADS, ROUNDS = 3 };

typedef cuda::atomic<int, cuda::thread_scope_device> counter;

__global__ void odd(const int *x, counter *n)
{
    if (x[blockIdx.x * blockDim.x + threadIdx.x] & 1)
        n->fetch_add(1, cuda::memory_order_relaxed);
}

__global__ void total(int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*sum);
    all.fetch_add((int)threadIdx.x);
}

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void reverse(int *x)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    __shared__ int tile[THREADS];
    if (threadIdx.x == 0)
        init(&all, blockDim.x);
    __syncthreads();
    for (int round = 0; round < ROUNDS; round++) {
        tile[threadIdx.x] = x[threadIdx.x];
        all.arrive_and_wait(); /* the tile is full */
        x[threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
        all.arrive_and_wait(); /* and read */
    }
}

/* The last block sums the others' results: release and acquire. */
__global__ void last_block(int *part, counter *done, int *sum)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        last = done->fetch_add(1, cuda::memory_order_acq_rel) ==
               (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (int b = 0; b < (int)gridDim.x; b++)
            *sum += part[b];
}

__global__ void square(float *out)
{
    cuda::std::complex<float> z(1, 2);
    z *= z;
    cuda::std::array<float, 2> parts = {z.real(), z.imag()};
    cuda::std::optional<float> real = parts[0];
    cuda::std::tuple<float, float> both =
        cuda::std::make_tuple(parts[1], *real);
    out[0] = cuda::std::get<1>(both);
    out[1] = cuda::std::get<0>(both);
}

template <class T>
static T *managed(size_t n)
{
    T *p;
    CUDA(cudaMallocManaged((void **)&p, n * sizeof *p));
    return p;
}

int main(void)
{
    int *x = managed<int>(N), *sum = managed<int>(1);
    counter *n = new (managed<counter>(1)) counter(0);
    float *z = managed<float>(2);
    *sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    odd<<<BLOCKS, THREADS>>>(x, n);
    total<<<BLOCKS, THREADS>>>(sum);
    reverse<<<1, THREADS>>>(x);
    square<<<1, 1>>>(z);
    CUDA(cudaDeviceSynchronize());
    CHECK(n->load() == N / 2);
    CHECK(*sum == BLOCKS * (THREADS * (THREADS - 1) / 2));
    for (int i = 0; i < THREADS; i++)
        CHECK(x[i] == THREADS - 1 - i);
    CHECK(z[0] == -3 && z[1] == 4);
    n->store(0);
    *sum = 0;
    last_block<<<BLOCKS, THREADS>>>(x, n, sum);
    CUDA(cudaDeviceSynchronize());
    CHECK(*sum == BLOCKS * (BLOCKS - 1) / 2);
    CUDA(cudaFree(x));
    CUDA(cudaFree(sum));
    CUDA(cudaFree(n));
    CUDA(cudaFree(z));
    return 0;
}
