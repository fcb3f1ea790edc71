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
        CHECK_OF(x == values[i], x, values[i]);
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
    CHECK_OF(can == 0, can, 0); // nobody is its own peer
    FAILS(cudaErrorInvalidDevice,
          cudaDeviceCanAccessPeer(&can, device, 99));
    /* cudaErrorInvalidDevice by its documentation; an H200 gave another one. */
    cudaError_t error = cudaDeviceEnablePeerAccess(device, 0);
    CHECK(error != cudaSuccess);
    printf("a device as its own peer: %s\n", cudaGetErrorName(error));
    cudaGetLastError();
    FAILS(cudaErrorPeerAccessNotEnabled,
          cudaDeviceDisablePeerAccess(device));
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
    CHECK_OF(greatest <= least, greatest, least);
    CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                      greatest));
    CUDA(cudaStreamGetPriority(stream, &priority));
    CHECK_OF(priority == greatest, priority, greatest);
    CUDA(cudaStreamGetFlags(stream, &flags));
    CHECK_OF(flags == cudaStreamNonBlocking, flags, cudaStreamNonBlocking);
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    CUDA(cudaDeviceGetLimit(&printf_bytes, cudaLimitPrintfFifoSize));
    CHECK_OF(stack >= 1024 && printf_bytes >= 1 << 20, stack, printf_bytes);
    CUDA(cudaMemGetInfo(&free_bytes, &total));
    CHECK_OF(free_bytes <= total && total > (size_t)1 << 30, free_bytes, total);
    CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CUDA(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1));
}

static void kernel(void)
{
    cudaFuncAttributes about;
    int blocks, least, threads;
    CUDA(cudaFuncGetAttributes(&about, fill));
    CHECK_OF(about.maxThreadsPerBlock == 256, about.maxThreadsPerBlock, 256);
    CHECK_OF(about.sharedSizeBytes == 1024 && about.localSizeBytes == 0,
             about.sharedSizeBytes, about.localSizeBytes);
    CHECK_OF(about.numRegs > 0 && about.ptxVersion >= 70, about.numRegs,
             about.ptxVersion);
    CUDA(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferNone));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
    CHECK_OF(blocks == 8, blocks, 8);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, fill, 256, 40000, cudaOccupancyDefault));
    CHECK_OF(blocks == 5, blocks, 5);
    CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &threads, fill, 0, 0));
    CHECK_OF(threads == 256 && least >= 8, threads, least);
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
