// SPDX-License-Identifier: MIT
/* vector_add.cu: allocate, copy, launch, copy back; sizes around a block's. */
#include "../check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static void check_size(int n)
{
    size_t bytes = n * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes);
    float *c = (float *)malloc(bytes), *da, *db, *dc;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 0.5f * i - 7;
    }
    CUDA(cudaMalloc(&da, bytes));
    CUDA(cudaMalloc(&db, bytes));
    CUDA(cudaMalloc(&dc, bytes));
    CUDA(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(db, b, bytes, cudaMemcpyDefault));
    add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(c[i] == a[i] + b[i]);
    CUDA(cudaFree(da));
    CUDA(cudaFree(db));
    CUDA(cudaFree(dc));
    free(a);
    free(b);
    free(c);
}

int main(void)
{
    const int sizes[] = {1, 31, 255, 256, 257, 10007, 1 << 17};
    for (int n : sizes)
        check_size(n);
    return 0;
}
