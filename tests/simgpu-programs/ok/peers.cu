// SPDX-License-Identifier: MIT
/* peers.cu: what a program asks before it uses several devices, and does when
 * there is one: peers, copies between devices of the same number, properties,
 * attributes, flags, priorities, limits, occupancy and launch bounds. */
#include <string.h>

#include "../check.h"

enum { N = 1000 };

__global__ void __launch_bounds__(256, 2) fill(int *x, int n, int what)
{
    __shared__ int pad[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    pad[threadIdx.x] = what;
    if (i < n)
        x[i] = *(volatile int *)&pad[threadIdx.x] + i;
}

static void properties(int device)
{
    cudaDeviceProp p;
    int x, same[][2] = {
        {cudaDevAttrMaxThreadsPerBlock, 0}, {cudaDevAttrWarpSize, 0},
        {cudaDevAttrMaxSharedMemoryPerBlock, 0},
        {cudaDevAttrMaxRegistersPerBlock, 0},
        {cudaDevAttrL2CacheSize, 0}, {cudaDevAttrMaxBlocksPerMultiprocessor, 0},
        {cudaDevAttrManagedMemory, 0}, {cudaDevAttrUnifiedAddressing, 0},
        {cudaDevAttrConcurrentKernels, 0}, {cudaDevAttrCooperativeLaunch, 0},
    };
    CUDA(cudaGetDeviceProperties(&p, device));
    int values[] = {p.maxThreadsPerBlock, p.warpSize,
                    (int)p.sharedMemPerBlock, p.regsPerBlock, p.l2CacheSize,
                    p.maxBlocksPerMultiProcessor, p.managedMemory,
                    p.unifiedAddressing, p.concurrentKernels,
                    p.cooperativeLaunch};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        CUDA(cudaDeviceGetAttribute(&x, (enum cudaDeviceAttr)same[i][0],
                                    device));
        CHECK(x == values[i]);
    }
    CHECK(strlen(p.name) > 0 && p.warpSize == 32 && p.major >= 7);
    CHECK(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[2] == 64);
    CHECK(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535);
    CHECK(p.totalConstMem == 65536 && p.memoryBusWidth > 0);
    CHECK(p.sharedMemPerMultiprocessor >= p.sharedMemPerBlockOptin);
    CHECK(p.totalGlobalMem > (size_t)1 << 30);
}

static void between(int device)
{
    int *a, *b, can = -1, got[N];
    CUDA(cudaDeviceCanAccessPeer(&can, device, device));
    CHECK(can == 0); // nobody is its own peer
    CHECK(cudaDeviceCanAccessPeer(&can, device, 99) ==
          cudaErrorInvalidDevice);
    CHECK(cudaDeviceEnablePeerAccess(device, 0) == cudaErrorInvalidDevice);
    cudaGetLastError();
    CHECK(cudaDeviceDisablePeerAccess(device) ==
          cudaErrorPeerAccessNotEnabled);
    cudaGetLastError();
    CUDA(cudaMalloc(&a, N * sizeof *a));
    CUDA(cudaMalloc(&b, N * sizeof *b));
    fill<<<(N + 255) / 256, 256>>>(a, N, 5);
    CUDA(cudaMemcpyPeer(b, device, a, device, N * sizeof *a));
    CUDA(cudaMemset(a, 0, N * sizeof *a));
    CUDA(cudaMemcpyPeerAsync(a, device, b, device, N * sizeof *a, 0));
    CUDA(cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(got[i] == 5 + i);
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
}

static void flags(int device)
{
    unsigned flags = 99;
    int least, greatest, priority;
    size_t stack, printf_bytes, free_bytes, total;
    cudaStream_t stream;
    CUDA(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    CUDA(cudaSetDevice(device));
    CUDA(cudaGetDeviceFlags(&flags));
    CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(greatest <= least);
    CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                      greatest));
    CUDA(cudaStreamGetPriority(stream, &priority));
    CHECK(priority == greatest);
    CUDA(cudaStreamGetFlags(stream, &flags));
    CHECK(flags == cudaStreamNonBlocking);
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    CUDA(cudaDeviceGetLimit(&printf_bytes, cudaLimitPrintfFifoSize));
    CHECK(stack >= 1024 && printf_bytes >= 1 << 20);
    CUDA(cudaMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes <= total && total > (size_t)1 << 30);
    CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CUDA(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1));
}

static void kernel(void)
{
    cudaFuncAttributes about;
    int blocks, least, threads;
    CUDA(cudaFuncGetAttributes(&about, fill));
    CHECK(about.maxThreadsPerBlock == 256);
    CHECK(about.sharedSizeBytes == 1024 && about.localSizeBytes == 0);
    CHECK(about.numRegs > 0 && about.ptxVersion >= 70);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
    CHECK(blocks == 8);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, fill, 256, 40000, cudaOccupancyDefault));
    CHECK(blocks == 5);
    CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &threads, fill, 0, 0));
    CHECK(threads == 256 && least >= 8);
    CUDA(cudaDeviceSynchronize());
}

int main(void)
{
    int devices, device;
    CUDA(cudaGetDeviceCount(&devices));
    CHECK(devices >= 1);
    CUDA(cudaSetDevice(0));
    CUDA(cudaGetDevice(&device));
    properties(device);
    between(device);
    flags(device);
    kernel();
    return 0;
}
