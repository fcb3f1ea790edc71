// SPDX-License-Identifier: MIT
/* list.cu: classes in managed memory: an operator new of their own, a linked
 * list that host and device follow, virtual functions of objects that the
 * device made, function pointers, lambdas, placement new; advice and ranges. */
// options: -lineinfo --extended-lambda
#include <new>

#include "../check.h"

struct managed {
    void *operator new(size_t bytes)
    {
        void *p;
        CUDA(cudaMallocManaged(&p, bytes));
        CUDA(cudaDeviceSynchronize());
        return p;
    }
    void operator delete(void *p)
    {
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaFree(p));
    }
};

struct node : managed {
    int value;
    node *next;
    node(int v, node *n) : value(v), next(n) {}
};

struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~shape() {}
};
struct square : shape {
    float side;
    __device__ square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct disc : shape {
    float radius;
    __device__ disc(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};

__global__ void follow(node *list, int *sum)
{
    int total = 0;
    for (node *n = list; n; n = n->next) {
        total += n->value;
        n->value *= 2;
    }
    *sum = total;
}

__global__ void make(shape **to, int n)
{
    int i = threadIdx.x;
    if (i < n)
        to[i] = i % 2 ? (shape *)new square(i) : (shape *)new disc(i);
}

__global__ void measure(shape **from, int n, float *area)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    area[i] = from[i]->area();
    delete from[i];
}

typedef float function(float);
static __device__ float twice(float x) { return 2 * x; }
static __device__ float squared(float x) { return x * x; }
__device__ function *const table[] = {twice, squared};

__global__ void by_pointer(float *x, int which)
{
    x[threadIdx.x] = table[(threadIdx.x + which) % 2](x[threadIdx.x]);
}

template <class F> __global__ void each(float *x, F f)
{
    x[threadIdx.x] = f(x[threadIdx.x], threadIdx.x);
}

__global__ void in_place(int *to)
{
    __shared__ alignas(16) unsigned char room[64];
    if (threadIdx.x == 0)
        new (room) square(4);
    __syncthreads(); // the square is made
    to[threadIdx.x] = (int)((shape *)room)->area();
}

int main(void)
{
    enum { COUNT = 20 };
    node *list = NULL;
    int *sum;
    CUDA(cudaMallocManaged(&sum, 32 * sizeof *sum));
    for (int i = 1; i <= COUNT; i++)
        list = new node(i, list);
    follow<<<1, 1>>>(list, sum);
    CUDA(cudaDeviceSynchronize());
    CHECK(*sum == COUNT * (COUNT + 1) / 2);
    for (int i = COUNT; list; i--) {
        node *next = list->next;
        CHECK(list->value == 2 * i);
        delete list;
        list = next;
    }

    shape **shapes;
    float *x;
    CUDA(cudaMalloc(&shapes, COUNT * sizeof *shapes));
    CUDA(cudaMallocManaged(&x, 32 * sizeof *x));
    make<<<1, 32>>>(shapes, COUNT);
    measure<<<1, 32>>>(shapes, COUNT, x);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++)
        CHECK(x[i] == (i % 2 ? 1 : 3) * i * i);

    for (int i = 0; i < 32; i++)
        x[i] = i;
    by_pointer<<<1, 32>>>(x, 1);
    float by = 0.5f;
    each<<<1, 32>>>(x, [=] __device__(float v, int i) { return v * by + i; });
    in_place<<<1, 32>>>(sum);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++) {
        CHECK(x[i] == (i % 2 ? 2.f * i : 1.f * i * i) * 0.5f + i);
        CHECK(sum[i] == 16);
    }
    return 0;
}
