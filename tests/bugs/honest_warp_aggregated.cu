// SPDX-License-Identifier: MIT
/* No bug: lanes reserve their places with one atomic per warp. */
__global__ void keep_odd(const int *x, int *y, int *n)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % LANES;
    bool odd = (x[i] + i) % 2;
    unsigned who = __ballot_sync(0xffffffffu, odd);
    int leader = __ffs(who) - 1, first = 0;
    if (lane == leader)
        first = atomicAdd(n, __popc(who));
    first = __shfl_sync(0xffffffffu, first, leader);
    if (odd)
        y[first + __popc(who & ((1u << lane) - 1))] = i;
}

static void run(void)
{
    keep_odd<<<BLOCKS, THREADS>>>(cells(N), cells(N), cells(1));
    launched();
}
