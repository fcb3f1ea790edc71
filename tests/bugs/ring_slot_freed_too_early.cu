// SPDX-License-Identifier: MIT
/* Block 0 sends numbers to block 1 through a ring in global memory. The consumer
 * gives a slot back without a fence: its reading of it may come later. */
enum { SLOTS = 2, NUMBERS = 8 };

__global__ void ring(int *slot, volatile int *head, volatile int *tail, int *y)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        for (int n = 0; n < NUMBERS; n++) {
            while (n - *tail >= SLOTS)
                ;
            __threadfence();
            slot[n % SLOTS] = n; // against
            __threadfence();
            *head = n + 1;
        }
        return;
    }
    for (int n = 0; n < NUMBERS; n++) {
        while (*head <= n)
            ;
        __threadfence();
        y[n] = slot[n % SLOTS]; // finds: race
#ifdef MENDED
        __threadfence();
#endif
        *tail = n + 1;
    }
}

static void run(void)
{
    ring<<<2, LANES>>>(cells(SLOTS), cells(1), cells(1), cells(NUMBERS));
    launched();
}
