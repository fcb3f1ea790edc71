// SPDX-License-Identifier: MIT
// How long a process takes to open the GPU, part by part, in milliseconds.
//
//   contexts [SECONDS]   then holds its context for so long
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double last; // when the part before ended

static double now()
{
    timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static void lap(const char *part)
{
    double t = now();

    printf(" %s %.0f", part, t - last);
    last = t;
}

static __global__ void store(float *p)
{
    p[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    const size_t bytes = (size_t)1 << 30;
    double begun = last = now();
    cudaDeviceProp properties;
    cudaStream_t stream;
    CUcontext context;
    CUdevice device;
    float *p;

    cuInit(0);
    lap("init");
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    lap("context");
    cudaSetDevice(0);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    lap("stream");
    cudaGetDeviceProperties(&properties, 0);
    lap("properties");
    cudaMalloc(&p, bytes);
    lap("malloc");
    cudaMemsetAsync(p, 1, bytes, stream);
    cudaStreamSynchronize(stream);
    lap("memset");
    store<<<1, 32, 0, stream>>>(p);
    cudaStreamSynchronize(stream);
    lap("launch");
    printf(" total %.0f%s\n", now() - begun,
           cudaGetLastError() ? ", and an error" : "");
    fflush(stdout);
    if (argc > 1)
        sleep(atoi(argv[1]));
    _exit(0);
}
