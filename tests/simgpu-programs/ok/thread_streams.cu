// SPDX-License-Identifier: MIT
/* thread_streams.cu: host threads that take jobs from one list, each with a
 * stream and buffers of its own; all read one table on the device. */
#include "../check.h"

#include <atomic>
#include <thread>
#include <vector>

enum { THREADS = 4, JOBS = 20, N = 700, BLOCK = 128 };

__constant__ int factors[16];

__global__ void job(const int *table, int *out, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[(i * 5 + which) % n] * factors[which % 16];
}

static std::atomic<int> next_job;
static int h_table[N], h_factors[16];
static std::vector<int> results[JOBS];

static void work(const int *table)
{
    cudaStream_t stream;
    int *out, *pinned;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&out, N * sizeof *out));
    CUDA(cudaMallocHost(&pinned, N * sizeof *pinned));
    for (int j; (j = next_job++) < JOBS;) {
        job<<<(N + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(table, out, N, j);
        CUDA(cudaMemcpyAsync(pinned, out, N * sizeof *out,
                             cudaMemcpyDeviceToHost, stream));
        CUDA(cudaStreamSynchronize(stream));
        results[j].assign(pinned, pinned + N);
    }
    CUDA(cudaFreeHost(pinned));
    CUDA(cudaFree(out));
    CUDA(cudaStreamDestroy(stream));
}

int main()
{
    int *table;
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        h_table[i] = i * i % 1009;
    for (int i = 0; i < 16; i++)
        h_factors[i] = 3 * i - 7;
    CUDA(cudaMalloc(&table, sizeof h_table));
    CUDA(cudaMemcpy(table, h_table, sizeof h_table, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpyToSymbol(factors, h_factors, sizeof h_factors));
    CUDA(cudaDeviceSynchronize());
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back(work, table);
    for (std::thread &t : threads)
        t.join();
    for (int j = 0; j < JOBS; j++)
        for (int i = 0; i < N; i++)
            CHECK(results[j][i] ==
                  h_table[(i * 5 + j) % N] * h_factors[j % 16]);
    printf("%d jobs, %d threads\n", JOBS, THREADS);
    return 0;
}
