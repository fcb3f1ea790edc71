// SPDX-License-Identifier: MIT
/* heap.cu: new and malloc in kernels: a list per thread, passed from one launch
 * to the next, and allocations that fail. */
#include "../check.h"

struct Item {
    int value;
    Item *next;
    __device__ Item(int v, Item *n) : value(v), next(n) {}
};

__global__ void build(Item **first, int n)
{
    Item *list = nullptr;
    for (int i = 0; i < n; i++)
        list = new Item(i + (int)threadIdx.x, list);
    first[blockIdx.x * blockDim.x + threadIdx.x] = list;
}

__global__ void take_down(Item **first, int *sum)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, total = 0;
    for (Item *i = first[t], *next; i; i = next) {
        next = i->next;
        total += i->value;
        delete i;
    }
    sum[t] = total;
}

__global__ void too_much(int *got)
{
    void *p = malloc((size_t)1 << 40);
    *got = p != nullptr;
    free(p);
}

int main(void)
{
    enum { THREADS = 64, BLOCKS = 3, N = 5 };
    Item **first;
    int *sum, h[THREADS * BLOCKS], got;
    CUDA(cudaMalloc(&first, sizeof h / sizeof *h * sizeof *first));
    CUDA(cudaMalloc(&sum, sizeof h));
    for (int round = 0; round < 3; round++) {
        build<<<BLOCKS, THREADS>>>(first, N);
        take_down<<<BLOCKS, THREADS>>>(first, sum);
        CUDA(cudaMemcpy(h, sum, sizeof h, cudaMemcpyDeviceToHost));
        for (int t = 0; t < THREADS * BLOCKS; t++)
            CHECK(h[t] == 10 + N * (t % THREADS));
    }
    too_much<<<1, 1>>>(sum);
    CUDA(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == 0);
    CUDA(cudaFree(first));
    CUDA(cudaFree(sum));
    return 0;
}
