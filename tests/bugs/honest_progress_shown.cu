// SPDX-License-Identifier: MIT
/* No bug: volatile counters that somebody looks at while it waits, and a stop
 * flag that says nothing of them; what they come to is read behind fences. */
__global__ void work(volatile int *done, volatile int *found,
                     volatile int *stop, volatile int *shown, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        for (int n = 1; n <= 20; n++) {
            *found = 2 * n;
            *done = n;
        }
        __threadfence();
        *stop = 1;
        return;
    }
    int last = 0;
    while (!*stop)
        last = *found;
    *shown = last;
    __threadfence();
    *got = *done + *found;
}

static void run(void)
{
    int h, *got = cells(1);
    work<<<2, LANES>>>(cells(1), cells(1), cells(1), cells(1), got);
    CUDA(cudaMemcpy(&h, got, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == 60);
    launched();
}
