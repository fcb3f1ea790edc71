// SPDX-License-Identifier: MIT
/* graph_update.cu: an iteration that is launched as a graph until it has
 * converged; the host looks at each result, and changes what the graph does
 * next: a parameter, a kernel that is left out, the whole graph. */
#include "../check.h"

#include <cmath>
#include <cstring>

enum { N = 1024, THREADS = 128, BLOCKS = N / THREADS, MOST = 400 };

/* x tends to the root of a: a damped Newton's step. */
__global__ void step(float *x, const float *a, float damping)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += damping * (a[i] / x[i] - x[i]) / 2;
}

__global__ void largest_error(const float *x, const float *a, unsigned *error)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float e = fabsf(x[i] * x[i] - a[i]) / a[i];
    for (int d = 16; d; d /= 2)
        e = fmaxf(e, __shfl_xor_sync(0xffffffff, e, d));
    if (i % 32 == 0)
        atomicMax(error, __float_as_uint(e)); /* not negative: bits in order */
}

__global__ void reset(unsigned *error)
{
    *error = 0;
}

static float *x, *a, damping;
static unsigned *error, *h_error;

static cudaGraph_t iteration(cudaStream_t stream)
{
    cudaGraph_t graph;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    reset<<<1, 1, 0, stream>>>(error);
    step<<<BLOCKS, THREADS, 0, stream>>>(x, a, damping);
    largest_error<<<BLOCKS, THREADS, 0, stream>>>(x, a, error);
    CUDA(cudaMemcpyAsync(h_error, error, sizeof *error,
                         cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamEndCapture(stream, &graph));
    return graph;
}

/* The node of the step: the second one of the chain. */
static cudaGraphNode_t step_of(cudaGraph_t graph)
{
    cudaGraphNode_t root, next;
    size_t one = 1;
    CUDA(cudaGraphGetRootNodes(graph, &root, &one));
    one = 1;
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphNodeGetDependentNodes(root, &next, NULL, &one));
#else
    CUDA(cudaGraphNodeGetDependentNodes(root, &next, &one));
#endif
    return next;
}

static float launch(cudaGraphExec_t exec, cudaStream_t stream)
{
    float e;
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    memcpy(&e, h_error, sizeof e);
    return e;
}

int main()
{
    cudaStream_t stream;
    cudaGraphExec_t exec;
    float h[N], before = INFINITY, e = 0;
    int launches = 0, changes = 0;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMalloc(&x, sizeof h));
    CUDA(cudaMalloc(&a, sizeof h));
    CUDA(cudaMalloc(&error, sizeof *error));
    CUDA(cudaMallocHost(&h_error, sizeof *h_error));
    for (int i = 0; i < N; i++)
        h[i] = 1 + (float)i;
    CUDA(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    damping = 0.25f;
    cudaGraph_t graph = iteration(stream);
    cudaGraphNode_t node = step_of(graph);
    CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (; launches < MOST && !(launches && e <= 1e-6f); launches++) {
        e = launch(exec, stream);
        if (e > before / 2 && damping < 1) { /* slow: less damping */
            damping = damping < 0.5f ? 2 * damping : 1;
            void *args[] = {&x, &a, &damping};
            cudaKernelNodeParams p = {};
            p.func = (void *)step;
            p.gridDim = BLOCKS;
            p.blockDim = THREADS;
            p.kernelParams = args;
            CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &p));
            changes++;
        }
        before = e;
    }
    CHECK(e <= 1e-6f && changes == 2);
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(fabsf(h[i] - sqrtf(1 + (float)i)) <= 1e-5f * h[i]);
    CUDA(cudaGraphNodeSetEnabled(exec, node, 0)); /* only measures now */
    CHECK(launch(exec, stream) == e);
    damping = 0; /* a graph of the same form, whose step does nothing */
    cudaGraph_t other = iteration(stream);
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo info;
    CUDA(cudaGraphExecUpdate(exec, other, &info));
    CHECK(info.result == cudaGraphExecUpdateSuccess);
#else
    cudaGraphNode_t failed;
    cudaGraphExecUpdateResult result;
    CUDA(cudaGraphExecUpdate(exec, other, &failed, &result));
    CHECK(result == cudaGraphExecUpdateSuccess);
#endif
    CHECK(launch(exec, stream) == e);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaGraphDestroy(other));
    puts("roots found by a graph");
    return 0;
}
