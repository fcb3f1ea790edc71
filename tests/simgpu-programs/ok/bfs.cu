// SPDX-License-Identifier: MIT
/* bfs.cu: distances in a graph, a frontier at a time: a queue whose places are
 * drawn once per warp, atomicMin and atomicCAS on distances; components of the
 * same graph by pointers that jump; two streams, events between them, zero-copy
 * flags that tell the host when to stop. */
#include "../check.h"

enum { NODES = 3000, DEGREE = 3, EDGES = NODES * DEGREE, THREADS = 128,
       FAR = 1 << 30 };

static __device__ int place(int *count)
{
    unsigned mates = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(mates) - 1, first = 0;
    if (lane == leader)
        first = atomicAdd(count, __popc(mates));
    return __shfl_sync(mates, first, leader) +
           __popc(mates & ((1u << lane) - 1));
}

__global__ void level(const int *first, const int *edge, int *distance,
                      const int *queue, const int *n, int *next, int *next_n)
{
    for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < *n;
         q += gridDim.x * blockDim.x) {
        int v = queue[q], far = distance[v] + 1;
        for (int e = first[v]; e < first[v + 1]; e++)
            if (atomicCAS(&distance[edge[e]], FAR, far) == FAR)
                next[place(next_n)] = edge[e];
    }
}

__global__ void hook(const int *from, const int *to, int n, int *root,
                     volatile int *changed)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n)
        return;
    int a = atomicAdd(&root[from[e]], 0), b = atomicAdd(&root[to[e]], 0);
    if (a == b)
        return;
    int high = a > b ? a : b, low = a < b ? a : b;
    if (atomicMin(&root[high], low) > low)
        *changed = 1;
    if (atomicMin(&root[from[e]], low) > low)
        *changed = 1;
    if (atomicMin(&root[to[e]], low) > low)
        *changed = 1;
}

static int first[NODES + 1], edge[EDGES], from[EDGES], expected[NODES],
    queue[NODES], got[NODES], label[NODES];

static int *copied(const int *x, int n)
{
    int *p;
    CUDA(cudaMalloc(&p, n * sizeof *p));
    CUDA(cudaMemcpy(p, x, n * sizeof *p, cudaMemcpyDefault));
    return p;
}

static int find(int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

int main(void)
{
    unsigned x = 7;
    for (int v = 0; v < NODES; v++) {
        first[v + 1] = first[v] + DEGREE;
        for (int k = 0; k < DEGREE; k++) {
            x = x * 1664525 + 1013904223;
            from[v * DEGREE + k] = v;
            edge[v * DEGREE + k] = (x >> 8) % NODES;
        }
        expected[v] = v ? FAR : 0;
    }
    int begin = 0, end = 1, levels = 0;
    while (begin < end) {
        int v = queue[begin++];
        for (int e = first[v]; e < first[v + 1]; e++)
            if (expected[edge[e]] == FAR) {
                expected[edge[e]] = expected[v] + 1;
                queue[end++] = edge[e];
            }
    }
    for (int v = 0; v < NODES; v++)
        got[v] = v ? FAR : 0;

    cudaStream_t one, two;
    cudaEvent_t copied_in;
    CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CUDA(cudaEventCreateWithFlags(&copied_in, cudaEventDisableTiming));
    int *first_d = copied(first, NODES + 1), *edge_d = copied(edge, EDGES);
    int *distance = copied(got, NODES), *q[2], *n[2], *host;
    got[0] = 0; // where the first queue begins
    for (int k = 0; k < 2; k++) {
        q[k] = copied(got, NODES);
        CUDA(cudaMallocManaged(&n[k], sizeof **n));
        *n[k] = 1;
    }
    CUDA(cudaEventRecord(copied_in, one));
    CUDA(cudaStreamWaitEvent(two, copied_in, 0));
    for (int k = 0; *n[k]; k = !k, levels++) {
        *n[!k] = 0;
        level<<<4, THREADS, 0, one>>>(first_d, edge_d, distance, q[k], n[k],
                                      q[!k], n[!k]);
        CUDA(cudaStreamSynchronize(one));
    }
    CUDA(cudaMemcpyAsync(got, distance, sizeof got, cudaMemcpyDeviceToHost,
                         one));
    CUDA(cudaStreamSynchronize(one));
    int farthest = 0;
    for (int v = 0; v < NODES; v++) {
        CHECK(got[v] == expected[v]);
        farthest = got[v] != FAR && got[v] > farthest ? got[v] : farthest;
    }
    CHECK(levels == farthest + 1);

    for (int v = 0; v < NODES; v++)
        got[v] = label[v] = v;
    int *root = copied(got, NODES), *from_d = copied(from, EDGES), *changed;
    CUDA(cudaHostAlloc(&host, sizeof *host, cudaHostAllocMapped));
    CUDA(cudaHostGetDevicePointer(&changed, host, 0));
    do {
        *host = 0;
        hook<<<(EDGES + THREADS - 1) / THREADS, THREADS, 0, two>>>(
            from_d, edge_d, EDGES, root, changed);
        CUDA(cudaStreamSynchronize(two));
    } while (*host);
    CUDA(cudaMemcpy(got, root, sizeof got, cudaMemcpyDeviceToHost));
    for (int e = 0; e < EDGES; e++) {
        int a = find(label, from[e]), b = find(label, edge[e]);
        label[a > b ? a : b] = a < b ? a : b;
    }
    for (int v = 0; v < NODES; v++)
        CHECK(got[v] == find(label, v));
    return 0;
}
