// SPDX-License-Identifier: MIT
/* pools.cu: a memory pool of the program's own: buffers that live from one
 * point of a stream to another, its counters, and attributes of streams. */
#include "../check.h"

enum { N = 3000, THREADS = 256, BLOCKS = (N + THREADS - 1) / THREADS };
enum { STAGES = 6 };

__global__ void start(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

__global__ void reversed(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[n - 1 - i] + 1;
}

static unsigned long long counter(cudaMemPool_t pool, cudaMemPoolAttr which)
{
    unsigned long long value = 0;
    CUDA(cudaMemPoolGetAttribute(pool, which, &value));
    return value;
}

/* Each stage's buffer is freed as soon as the next one has read it. */
static void stages(cudaStream_t stream, int *h)
{
    int *x, *y;
    CUDA(cudaMallocAsync(&x, N * sizeof *x, stream));
    start<<<BLOCKS, THREADS, 0, stream>>>(x, N);
    for (int stage = 0; stage < STAGES; stage++, x = y) {
        CUDA(cudaMallocAsync(&y, N * sizeof *y, stream));
        reversed<<<BLOCKS, THREADS, 0, stream>>>(x, y, N);
        CUDA(cudaFreeAsync(x, stream));
    }
    CUDA(cudaMemcpyAsync(h, x, N * sizeof *h, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaFreeAsync(x, stream));
}

static int policy_of_new_stream(void)
{
    cudaStreamAttrValue got = {};
    cudaStream_t fresh;
    CUDA(cudaStreamCreate(&fresh));
    CUDA(cudaStreamGetAttribute(
        fresh, cudaLaunchAttributeSynchronizationPolicy, &got));
    CUDA(cudaStreamDestroy(fresh));
    return got.syncPolicy;
}

/* What is set of the default stream is no other stream's. */
static void attributes_of_default(cudaStreamAttrValue set)
{
    int before = policy_of_new_stream();
    CUDA(cudaStreamSetAttribute(
        NULL, cudaLaunchAttributeSynchronizationPolicy, &set));
    int after = policy_of_new_stream();
    CHECK_OF(after == before && after != (int)set.syncPolicy, before, after);
}

static void attributes(cudaStream_t stream, cudaStream_t other)
{
    cudaStreamAttrValue set = {}, got = {};
    set.syncPolicy = cudaSyncPolicyYield;
    attributes_of_default(set);
    CUDA(cudaStreamSetAttribute(
        stream, cudaLaunchAttributeSynchronizationPolicy, &set));
    CUDA(cudaStreamCopyAttributes(other, stream));
    CUDA(cudaStreamGetAttribute(
        other, cudaLaunchAttributeSynchronizationPolicy, &got));
    CHECK_OF(got.syncPolicy == cudaSyncPolicyYield, got.syncPolicy,
             cudaSyncPolicyYield);
}

int main()
{
    cudaMemPoolProps props = {};
    cudaMemPool_t pool, before, now;
    cudaStream_t stream[2];
    unsigned long long keep = ~0ull;
    int *h[2], *x;
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypeNone;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    CUDA(cudaMemPoolCreate(&pool, &props));
    CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                 &keep));
    cudaMemAccessFlags flags;
    CUDA(cudaMemPoolGetAccess(&flags, pool, &props.location));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    CUDA(cudaDeviceGetMemPool(&before, 0));
    CUDA(cudaDeviceSetMemPool(0, pool));
    CUDA(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == pool && before != pool);
    for (int s = 0; s < 2; s++) {
        CUDA(cudaStreamCreate(&stream[s]));
        CUDA(cudaMallocHost(&h[s], N * sizeof *h[s]));
    }
    for (int s = 0; s < 2; s++)
        stages(stream[s], h[s]);
    CUDA(cudaMallocFromPoolAsync(&x, N * sizeof *x, pool, stream[0]));
    CUDA(cudaStreamSynchronize(stream[0]));
    CUDA(cudaStreamSynchronize(stream[1]));
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < N; i++)
            CHECK(h[s][i] == i + STAGES); /* an even number of stages */
    CHECK(counter(pool, cudaMemPoolAttrUsedMemCurrent) >= N * sizeof *x);
    CHECK(counter(pool, cudaMemPoolAttrUsedMemHigh) >= 2 * N * sizeof *x);
    CUDA(cudaFreeAsync(x, stream[0]));
    CUDA(cudaStreamSynchronize(stream[0]));
    CHECK(counter(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
    CHECK(counter(pool, cudaMemPoolAttrReservedMemCurrent) > 0);
    CUDA(cudaMemPoolTrimTo(pool, 0));
    CHECK(counter(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
    CUDA(cudaDeviceSetMemPool(0, before));
    CUDA(cudaMemPoolDestroy(pool));
    attributes(stream[0], stream[1]);
    puts("a pool of its own");
    return 0;
}
