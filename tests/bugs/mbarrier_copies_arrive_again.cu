// SPDX-License-Identifier: MIT
/* All arrivals of a phase are those of copies; more copies will arrive, and
 * nobody has waited for that phase. */
__global__ void again_by_copies(const int *x, int *y)
{
    __shared__ int tile[THREADS];
    __shared__ object there;
    int t = threadIdx.x;
    if (t == 0)
        object_init(&there, THREADS);
    __syncthreads();
    copy_async(&tile[t], &x[t]);
    copies_arrive(&there);
#ifdef MENDED
    object_wait(&there, 0);
#endif
    __syncthreads();
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(in_shared(&there)) : "memory"); // finds: barrier_misuse
    object_wait(&there, 1);
    y[t] = tile[THREADS - 1 - t];
}

static void run(void)
{
    again_by_copies<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
