// SPDX-License-Identifier: MIT
/* per_thread.cu: host threads, each with a default stream of its own, work on
 * parts of one array; then an event of one lets another go on. */
// options: -lineinfo --default-stream per-thread
#include "../check.h"

#include <thread>
#include <vector>

enum { WORKERS = 4, N = 5000, THREADS = 128,
       BLOCKS = (N + THREADS - 1) / THREADS };

__constant__ float factor;

__global__ void scale(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        x[i] *= factor;
}

static void work(float *x, int part, cudaEvent_t done)
{
    std::vector<float> h(N, (float)part);
    float *mine = x + part * N;
    CUDA(cudaMemcpy(mine, h.data(), N * sizeof *x, cudaMemcpyHostToDevice));
    scale<<<BLOCKS, THREADS>>>(mine);
    CUDA(cudaMemcpyAsync(h.data(), mine, N * sizeof *x,
                         cudaMemcpyDeviceToHost));
    CUDA(cudaStreamSynchronize(0));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == 3 * part);
    CUDA(cudaMemset(mine, 0, N * sizeof *x));
    CUDA(cudaEventRecord(done, 0));
}

int main(void)
{
    const float three = 3;
    float *x, h = -1;
    cudaEvent_t done[WORKERS];
    std::vector<std::thread> workers;
    CUDA(cudaMemcpyToSymbol(factor, &three, sizeof three));
    CUDA(cudaMalloc(&x, WORKERS * N * sizeof *x));
    for (int part = 0; part < WORKERS; part++) {
        CUDA(cudaEventCreate(&done[part]));
        workers.emplace_back(work, x, part, done[part]);
    }
    for (int part = 0; part < WORKERS; part++) {
        workers[part].join();
        CUDA(cudaStreamWaitEvent(0, done[part], 0));
        scale<<<BLOCKS, THREADS>>>(x + part * N);
    }
    CUDA(cudaMemcpy(&h, x + N, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == 0);
    CUDA(cudaFree(x));
    return 0;
}
