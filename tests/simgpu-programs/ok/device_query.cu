// SPDX-License-Identifier: MIT
/* device_query.cu: properties, attributes, limits, occupancy and versions
 * agree with one another; nothing is launched. */
#include "../check.h"

__global__ void kernel(float *x)
{
    __shared__ float s[1024];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); // written by one thread, read by its neighbour
    x[threadIdx.x] = s[threadIdx.x ^ 1];
}

static int attribute(enum cudaDeviceAttr a)
{
    int value;
    CUDA(cudaDeviceGetAttribute(&value, a, 0));
    return value;
}

int main(void)
{
    struct cudaDeviceProp p;
    struct cudaFuncAttributes f;
    int count, device = -1, runtime, driver, blocks, grid, block;
    size_t free_bytes, total, stack;
    CUDA(cudaGetDeviceCount(&count));
    CHECK(count == 1);
    CUDA(cudaSetDevice(0));
    CUDA(cudaGetDevice(&device));
    CHECK(device == 0);
    CUDA(cudaGetDeviceProperties(&p, 0));
    CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024);
    CHECK(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
    CHECK(p.major == attribute(cudaDevAttrComputeCapabilityMajor));
    CHECK(p.minor == attribute(cudaDevAttrComputeCapabilityMinor));
    CHECK((int)p.sharedMemPerBlockOptin ==
          attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    CHECK(attribute(cudaDevAttrClockRate) > 100000);
    CHECK(attribute(cudaDevAttrMaxGridDimY) == 65535);
    CUDA(cudaMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes <= total && total == p.totalGlobalMem);
    CUDA(cudaRuntimeGetVersion(&runtime));
    CUDA(cudaDriverGetVersion(&driver));
    CHECK(runtime == CUDART_VERSION && driver >= runtime);
    CUDA(cudaFuncGetAttributes(&f, kernel));
    CHECK(f.sharedSizeBytes == 4096 && f.maxThreadsPerBlock == 1024);
    CHECK(f.ptxVersion == 75);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024,
                                                       0));
    CHECK(blocks >= 1 && blocks * 1024 <= p.maxThreadsPerMultiProcessor);
    CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
    CHECK(grid >= p.multiProcessorCount && block % 32 == 0);
    CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    CUDA(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    CHECK(stack == 2048);
    printf("%s, compute capability %d.%d, %d SMs\n", p.name, p.major, p.minor,
           p.multiProcessorCount);
    return 0;
}
