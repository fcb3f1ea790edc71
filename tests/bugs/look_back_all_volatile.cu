// SPDX-License-Identifier: MIT
/* A decoupled look-back whose sums and flags are apart, and all volatile: a
 * block adds its sum, then what the blocks before have. */
__device__ void publish(volatile int *where, int sum, volatile int *state,
                        int how)
{
    *where = sum; // against
#ifdef MENDED
    __threadfence();
#endif
    *state = how;
}

__global__ void scan(unsigned *next, volatile int *sum, volatile int *all,
                     volatile int *state, int *out)
{
    if (threadIdx.x)
        return;
    int me = (int)atomicInc(next, ~0u), before = 0;
    publish(&sum[me], me + 1, &state[me], 1);
    for (int at = me - 1; at >= 0; at--) {
        int how;
        while ((how = state[at]) == 0)
            ;
#ifdef MENDED
        __threadfence();
#endif
        if (how == 2) {
            before += all[at]; // finds: unfenced
            break;
        }
        before += sum[at]; // against
    }
    publish(&all[me], before + me + 1, &state[me], 2);
    out[me] = before;
}

static void run(void)
{
    int h[BLOCKS], *out = cells(BLOCKS);
    scan<<<BLOCKS, LANES>>>((unsigned *)cells(1), cells(BLOCKS), cells(BLOCKS),
                            cells(BLOCKS), out);
    CUDA(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int b = 0; b < BLOCKS; b++)
        CHECK(h[b] == b * (b + 1) / 2);
    launched();
}
