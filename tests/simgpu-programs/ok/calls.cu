// SPDX-License-Identifier: MIT
/* calls.cu: what programs ask of the runtime beside their work: which device,
 * its limits, its memory, a kernel's attributes and best launch, symbols. */
#include "../check.h"

#include <cuda_profiler_api.h>
#include <string.h>

enum { N = 1000, THREADS = 128, BLOCKS = (N + THREADS - 1) / THREADS,
       HEAP = 24 << 20, PIECE = 10 << 20 };

__constant__ float factor[4];
__device__ int counter;
__device__ float table[64];

__global__ void scale(float *x)
{
    extern __shared__ float mine[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[threadIdx.x] = i;
    if (i < N) {
        x[i] = mine[threadIdx.x] * factor[i % 4];
        atomicAdd(&counter, 1);
    }
}

__global__ void two_pieces(int *got)
{
    void *a = malloc(PIECE), *b = malloc(PIECE);
    *got = (a != NULL) + (b != NULL);
    free(a);
    free(b);
}

struct bytes_for {
    __host__ __device__ size_t operator()(int threads) const
    {
        return threads * sizeof(float);
    }
};

static void CUDART_CB called(cudaStream_t, cudaError_t error, void *flag)
{
    *(int *)flag = error == cudaSuccess;
}

static void device(void)
{
    char id[32];
    int n = 0, current = -1, same = -1, version = 0, value = 0;
    cudaDeviceProp about;
    CUDA(cudaGetDeviceCount(&n));
    CHECK(n >= 1);
    CUDA(cudaSetDevice(0));
    CUDA(cudaGetDevice(&current));
    CUDA(cudaGetDeviceProperties(&about, 0));
    CUDA(cudaChooseDevice(&current, &about));
    CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == about.multiProcessorCount);
    CUDA(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    CUDA(cudaDeviceGetByPCIBusId(&same, id));
    CHECK(same == 0);
    FAILS(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&same, "no id"));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(id, 2, 0));
    CUDA(cudaRuntimeGetVersion(&version));
    CHECK(version == CUDART_VERSION);
    CUDA(cudaProfilerStart());
    CUDA(cudaProfilerStop());
    cudaGetLastError();
}

/* What is free is the whole GPU's: other programs take and give back, too. */
static void memory(void)
{
    size_t free_now = 0, total = 0, size = 0;
    float *x;
    void *address;
    CUDA(cudaMalloc(&x, 64 << 20));
    CUDA(cudaMemGetInfo(&free_now, &total));
    CHECK_OF(free_now <= total - (64 << 20), free_now, total);
    CUDA(cudaFree(x));
    CUDA(cudaGetSymbolAddress(&address, table));
    CUDA(cudaGetSymbolSize(&size, table));
    CHECK(size == sizeof table);
    CUDA(cudaMemset(address, 0, size));
}

/* Before the first kernel that calls malloc. */
static void limits(void)
{
    size_t value = 0;
    int *got, n = 0;
    CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, HEAP));
    CUDA(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
    CHECK_OF(value >= HEAP, value, HEAP);
    CUDA(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20));
    CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    CUDA(cudaMalloc(&got, sizeof *got));
    two_pieces<<<1, 1>>>(got);
    CUDA(cudaMemcpy(&n, got, sizeof n, cudaMemcpyDeviceToHost));
    CHECK_OF(n == 2, n, 2);
    CUDA(cudaFree(got));
}

static void kernel(void)
{
    int grid = 0, block = 0, resident = 0;
    size_t room = 0;
    CUDA(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferL1));
    CUDA(cudaFuncSetAttribute(scale,
                              cudaFuncAttributePreferredSharedMemoryCarveout,
                              50));
    CUDA(cudaFuncSetAttribute(
        scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 << 10));
    CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0));
    CHECK_OF(grid > 0 && block >= 32 && block <= 1024, grid, block);
    CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, scale,
                                                        bytes_for(), 0));
    CHECK_OF(grid > 0 && block >= 32 && block <= 1024, grid, block);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, scale,
                                                       THREADS, 1024));
    CHECK(resident > 0);
    CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&room, scale, 1, THREADS));
    /* As set above, though a block may ask for more. */
    CHECK_OF(room == 60 << 10, room, 60 << 10);
    CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&room, scale, 16, THREADS));
    CHECK_OF(room > 0 && room < 60 << 10, room, 60 << 10);
}

static void work(void)
{
    const float by[4] = {1, 2, 3, 4};
    const int none = 0;
    int counted = 0, was_called = 0;
    float *x, h[N];
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMalloc(&x, sizeof h));
    CUDA(cudaMemcpyToSymbolAsync(factor, by, sizeof by, 0,
                                 cudaMemcpyHostToDevice, stream));
    CUDA(cudaMemcpyToSymbolAsync(counter, &none, sizeof none, 0,
                                 cudaMemcpyHostToDevice, stream));
    scale<<<BLOCKS, THREADS, THREADS * sizeof *x, stream>>>(x);
    CUDA(cudaPeekAtLastError());
    CUDA(cudaMemcpyFromSymbolAsync(&counted, counter, sizeof counted, 0,
                                   cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamAddCallback(stream, called, &was_called, 0));
    CUDA(cudaStreamSynchronize(stream));
    CHECK_OF(counted == N && was_called == 1, counted, was_called);
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == i * by[i % 4]);
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(x));
}

int main(void)
{
    device();
    limits();
    memory();
    kernel();
    work();
    CUDA(cudaDeviceReset());
    return 0;
}
