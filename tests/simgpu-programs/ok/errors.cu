// SPDX-License-Identifier: MIT
// finds: 8
/* errors.cu: launches and calls that a device refuses give the codes that a
 * real one gives, leave the device usable, and are cleared by asking; the
 * eight refused launches are in the report. */
#include "../check.h"

#include <string.h>

__global__ void set(int *x, int value)
{
    x[threadIdx.x] = value;
}

extern __shared__ int dynamic[];

__global__ void use_shared(int *x)
{
    dynamic[threadIdx.x] = 1;
    x[threadIdx.x] = dynamic[threadIdx.x];
}

static void expect(cudaError_t expected, int line)
{
    cudaError_t peeked = cudaPeekAtLastError(), got = cudaGetLastError();
    if (got != expected || peeked != got) {
        printf("line %d: %s, not %s\n", line, cudaGetErrorName(got),
               cudaGetErrorName(expected));
        exit(1);
    }
    CHECK(cudaGetLastError() == cudaSuccess);
}

/* As an H200 answers; before 13.0 the code was one of its own. */
#if CUDART_VERSION >= 13000
#define BAD_SHAPE cudaErrorInvalidValue
#else
#define BAD_SHAPE cudaErrorInvalidConfiguration
#endif
#define REFUSED(error) expect(error, __LINE__)

static void check_launches(int *d)
{
    set<<<0, 32>>>(d, 1);
    REFUSED(BAD_SHAPE);
    set<<<1, 0>>>(d, 1);
    REFUSED(BAD_SHAPE);
    set<<<1, 1025>>>(d, 1);
    REFUSED(BAD_SHAPE);
    set<<<1, dim3(1, 1, 65)>>>(d, 1);
    REFUSED(BAD_SHAPE);
    set<<<dim3(1, 65536), 32>>>(d, 1);
    REFUSED(BAD_SHAPE);
    set<<<dim3(1, 1, 65536), 32>>>(d, 1);
    REFUSED(BAD_SHAPE);
    use_shared<<<1, 32, 48 * 1024 + 1>>>(d);
    REFUSED(cudaErrorInvalidValue);
    use_shared<<<1, 32, 1 << 20>>>(d);
    REFUSED(cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute(use_shared,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               1 << 20) == cudaErrorInvalidValue);
    REFUSED(cudaErrorInvalidValue);
}

int main(void)
{
    int h[32], *d;
    void *p;
    CUDA(cudaMalloc(&d, sizeof h));
    check_launches(d);
    CHECK(cudaMalloc(&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    REFUSED(cudaErrorMemoryAllocation);
    CHECK(cudaMemcpy(d, h, sizeof h + 4, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    CHECK(cudaMemset(h, 0, sizeof h) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(h, d, 4, (enum cudaMemcpyKind)9) ==
          cudaErrorInvalidMemcpyDirection);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    REFUSED(cudaErrorInvalidDevice);
    CUDA(cudaMemset(d, 0, sizeof h));
    set<<<1, 32>>>(d, 7);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == 7);
    CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress),
                 "cudaErrorIllegalAddress") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration),
                 "invalid configuration argument") == 0);
    CUDA(cudaFree(NULL));
    CUDA(cudaFree(d));
    return 0;
}
