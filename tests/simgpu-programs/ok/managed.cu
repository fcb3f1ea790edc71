// SPDX-License-Identifier: MIT
/* managed.cu: unified memory: one pointer for host and device, a list that both
 * walk, __managed__ variables, hints, copies of it, and pinned memory that a
 * kernel writes in place. */
#include "../check.h"

struct item {
    int value;
    struct item *next;
};

__managed__ int total = 5;
__managed__ float table[1000];

__global__ void walk(const struct item *first)
{
    for (const struct item *i = first; i; i = i->next)
        atomicAdd(&total, i->value);
}

__global__ void scale(float *x, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

static void a_list_of_both(void)
{
    struct item *items;
    CUDA(cudaMallocManaged(&items, 10 * sizeof *items));
    for (int i = 0; i < 10; i++) {
        items[i].value = i;
        items[i].next = i + 1 < 10 ? &items[i + 1] : NULL;
    }
    CHECK(total == 5);
    walk<<<1, 1>>>(items);
    CUDA(cudaDeviceSynchronize());
    CHECK(total == 50);
    total = 1;
    items[4].next = NULL;
    walk<<<1, 2>>>(items);
    CUDA(cudaDeviceSynchronize());
    CHECK(total == 21);
    CUDA(cudaFree(items));
}

static void in_turns(void)
{
    float *x, *pinned, *copy;
    int n = 5000;
    cudaPointerAttributes about;
    CUDA(cudaMallocManaged(&x, n * sizeof *x));
    CUDA(cudaMallocHost(&pinned, n * sizeof *pinned));
    CUDA(cudaMalloc(&copy, n * sizeof *copy));
    CUDA(cudaPointerGetAttributes(&about, x));
    CHECK(about.type == cudaMemoryTypeManaged && about.hostPointer == x);
    CUDA(cudaPointerGetAttributes(&about, pinned));
    CHECK(about.type == cudaMemoryTypeHost && about.devicePointer == pinned);
    for (int i = 0; i < n; i++)
        x[i] = (float)i;
    for (int turn = 0; turn < 3; turn++) {
        scale<<<(n + 255) / 256, 256>>>(x, n, 2.0f);
        CUDA(cudaDeviceSynchronize());
        for (int i = 0; i < n; i++)
            x[i] += 1;
    }
    for (int i = 0; i < n; i++)
        CHECK(x[i] == 8.0f * i + 7);
    /* One after the other, with no wait between. */
    scale<<<(n + 255) / 256, 256>>>(x, n, 0.5f);
    CUDA(cudaMemcpyAsync(copy, x, n * sizeof *x, cudaMemcpyDefault, 0));
    CUDA(cudaMemcpyAsync(pinned, copy, n * sizeof *x, cudaMemcpyDefault, 0));
    CUDA(cudaDeviceSynchronize());
    scale<<<(n + 255) / 256, 256>>>(pinned, n, 2.0f);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        CHECK(pinned[i] == 8.0f * i + 7);
    CUDA(cudaMemset(x, 0, n * sizeof *x));
    CUDA(cudaDeviceSynchronize());
    CHECK(x[n - 1] == 0);
    CUDA(cudaFree(x));
    CUDA(cudaFree(copy));
    CUDA(cudaFreeHost(pinned));
}

static void a_table(void)
{
    void *address;
    for (int i = 0; i < 1000; i++)
        table[i] = (float)i;
    CUDA(cudaGetSymbolAddress(&address, table));
    CHECK(address == table);
    scale<<<4, 256>>>(table, 1000, 3.0f);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 1000; i++)
        CHECK(table[i] == 3.0f * i);
}

static void mapped(void)
{
    int *flags, *seen;
    float *on_device;
    CUDA(cudaHostAlloc(&flags, 64, cudaHostAllocMapped));
    CUDA(cudaHostGetDevicePointer(&seen, flags, 0));
    *flags = 3;
    CUDA(cudaMalloc(&on_device, 4));
    FAILS(cudaErrorInvalidValue,
          cudaHostGetDevicePointer(&seen, on_device, 0));
    CUDA(cudaFree(on_device));
    CUDA(cudaFreeHost(flags));
}

int main(void)
{
    cudaDeviceProp gpu;
    CUDA(cudaGetDeviceProperties(&gpu, 0));
    CHECK(gpu.managedMemory && gpu.canMapHostMemory);
    a_list_of_both();
    in_turns();
    a_table();
    mapped();
    return 0;
}
