// SPDX-License-Identifier: MIT
/* A decoupled look-back: each block waits for the sum of the one before. */
__global__ void scan(unsigned *next, int *sum, int *state, int *out)
{
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = atomicInc(next, ~0u);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        if (ticket > 0) {
            while (atomicAdd(&state[ticket - 1], 0) == 0)
                ;
            __threadfence();
            before = sum[ticket - 1]; // finds: race
        }
        sum[ticket] = before + 1; // against
#ifdef MENDED
        __threadfence();
#endif
        atomicExch(&state[ticket], 1);
        out[ticket] = before;
    }
}

static void run(void)
{
    scan<<<BLOCKS, LANES>>>((unsigned *)cells(1), cells(BLOCKS),
                            cells(BLOCKS), cells(BLOCKS));
    launched();
}
