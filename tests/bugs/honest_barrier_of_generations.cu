// SPDX-License-Identifier: MIT
/* No bug: a barrier of all blocks by a counter and a generation, used again and
 * again; the last to come opens it. */
__device__ void meet(int *arrived, volatile int *generation)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        int mine = *generation;
        __threadfence();
        if (atomicAdd(arrived, 1) == (int)gridDim.x - 1) {
            atomicExch(arrived, 0);
            __threadfence();
            *generation = mine + 1;
        } else {
            while (*generation == mine)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void shift(int *x, int *y, int *arrived, volatile int *generation)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int n = 0; n < 3; n++) {
        y[i] = x[i] + 1;
        meet(arrived, generation);
        x[i] = y[(i + THREADS) % N];
        meet(arrived, generation);
    }
}

static void run(void)
{
    int h[N], *x = cells(N);
    shift<<<BLOCKS, THREADS>>>(x, cells(N), cells(1), cells(1));
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == 3);
    launched();
}
