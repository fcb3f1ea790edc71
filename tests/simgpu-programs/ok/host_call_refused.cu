// SPDX-License-Identifier: MIT
/* host_call_refused.cu: host functions on streams must not call CUDA. What does
 * not need the device still answers. */
#include "../check.h"

struct answers {
    cudaError_t made, waited, named;
};

static void CUDART_CB asks(void *data)
{
    struct answers *x = (struct answers *)data;
    void *p;
    x->made = cudaMalloc(&p, 4);
    x->waited = cudaDeviceSynchronize();
    x->named = cudaGetLastError();
}

static void CUDART_CB asks_too(cudaStream_t s, cudaError_t error, void *data)
{
    ((struct answers *)data)->waited = error ? error : cudaStreamQuery(s);
}

int main(void)
{
    struct answers x, y;
    cudaStream_t s;
    void *p;
    CUDA(cudaStreamCreate(&s));
    CUDA(cudaLaunchHostFunc(s, asks, &x));
    CUDA(cudaStreamAddCallback(s, asks_too, &y, 0));
    CUDA(cudaStreamSynchronize(s));
    CHECK(x.made == cudaErrorNotPermitted);
    CHECK(x.waited == cudaErrorNotPermitted);
    CHECK(x.named == cudaErrorNotPermitted);
    CHECK(y.waited == cudaErrorNotPermitted);
    cudaGetLastError(); /* the function may have run on this thread */
    CUDA(cudaMalloc(&p, 4));
    CUDA(cudaFree(p));
    CUDA(cudaStreamDestroy(s));
    return 0;
}
