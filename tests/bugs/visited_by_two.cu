// SPDX-License-Identifier: MIT
/* A step of a breadth-first search: two threads see the same neighbour unvisited
 * and both put it into the next front. */
__global__ void step(const int *to, int *level, int *front, int *n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = to[i];
#ifdef MENDED
    if (atomicCAS(&level[v], 0, 1) == 0)
        front[atomicAdd(n, 1)] = v;
#else
    if (level[v] == 0) { // finds: race
        level[v] = 1; // against
        front[atomicAdd(n, 1)] = v;
    }
#endif
}

static void run(void)
{
    int h[N], *to = cells(N);
    for (int i = 0; i < N; i++)
        h[i] = i / 3;
    CUDA(cudaMemcpy(to, h, sizeof h, cudaMemcpyHostToDevice));
    step<<<BLOCKS, THREADS>>>(to, cells(N), cells(N), cells(1));
    launched();
}
