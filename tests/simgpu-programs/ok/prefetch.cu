// SPDX-License-Identifier: MIT
/* prefetch.cu: managed memory that host and device work on in turns, with
 * advice where it belongs and prefetches before each turn. */
#include "../check.h"

enum { BINS = 64, N = 5000 };
enum { THREADS = 128, BLOCKS = (N + THREADS - 1) / THREADS };

#if CUDART_VERSION >= 13000
static cudaMemLocation place(int device)
{
    cudaMemLocation l = {};
    l.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                       : cudaMemLocationTypeDevice;
    l.id = device == cudaCpuDeviceId ? 0 : device;
    return l;
}
#define PREFETCH(p, bytes, device, stream)                                     \
    cudaMemPrefetchAsync(p, bytes, place(device), 0, stream)
#define ADVISE(p, bytes, advice, device)                                       \
    cudaMemAdvise(p, bytes, advice, place(device))
#else
#define PREFETCH(p, bytes, device, stream)                                     \
    cudaMemPrefetchAsync(p, bytes, device, stream)
#define ADVISE(p, bytes, advice, device) cudaMemAdvise(p, bytes, advice, device)
#endif

struct cell {
    int key, value;
};

__global__ void translate(struct cell *cells, const int *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i].value = table[cells[i].key];
}

__global__ void count(const struct cell *cells, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[cells[i].value], 1);
}

int main()
{
    struct cell *cells;
    int *table, *bins;
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMallocManaged(&cells, N * sizeof *cells));
    CUDA(cudaMallocManaged(&table, BINS * sizeof *table));
    CUDA(cudaMallocManaged(&bins, BINS * sizeof *bins));
    for (int i = 0; i < BINS; i++)
        table[i] = (i * 37 + 11) % BINS;
    CUDA(ADVISE(table, BINS * sizeof *table, cudaMemAdviseSetReadMostly, 0));
    CUDA(ADVISE(cells, N * sizeof *cells, cudaMemAdviseSetPreferredLocation,
                0));
    CUDA(ADVISE(cells, N * sizeof *cells, cudaMemAdviseSetAccessedBy,
                cudaCpuDeviceId));
    for (int turn = 0; turn < 3; turn++) {
        int wanted[BINS] = {0};
        for (int i = 0; i < N; i++) { /* the host's turn */
            cells[i].key = turn == 0 ? i * 7 % BINS
                                     : (cells[i].value + turn) % BINS;
            wanted[table[cells[i].key]]++;
        }
        CUDA(PREFETCH(cells, N * sizeof *cells, 0, stream));
        CUDA(PREFETCH(table, BINS * sizeof *table, 0, stream));
        CUDA(cudaMemsetAsync(bins, 0, BINS * sizeof *bins, stream));
        translate<<<BLOCKS, THREADS, 0, stream>>>(cells, table, N);
        count<<<BLOCKS, THREADS, 0, stream>>>(cells, bins, N);
        CUDA(PREFETCH(cells, N * sizeof *cells, cudaCpuDeviceId, stream));
        CUDA(cudaStreamSynchronize(stream));
        for (int i = 0; i < BINS; i++)
            CHECK(bins[i] == wanted[i]);
        for (int i = 0; i < N; i++)
            CHECK(cells[i].value == table[cells[i].key]);
    }
    CUDA(cudaFree(cells));
    CUDA(cudaFree(table));
    CUDA(cudaFree(bins));
    puts("three turns");
    return 0;
}
