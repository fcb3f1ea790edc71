// SPDX-License-Identifier: MIT
// since: 12
/* One thread sends two tiles to one place, the second as a correction of the
 * first: it has to wait for the first one's writes. */
__global__ void corrects(int *y)
{
    __shared__ alignas(128) int tile[2][THREADS];
    int t = threadIdx.x;
    tile[0][t] = t;
    tile[1][t] = -t;
    proxy_fence();
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y), "r"(in_shared(tile[0])), "r"((int)sizeof tile[0]) : "memory"); // against
        bulk_commit();
#ifdef MENDED
        bulk_wait();
#else
        bulk_read_wait();
#endif
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y + 32), "r"(in_shared(tile[1])), "r"((int)sizeof tile[1] / 2) : "memory"); // finds: race
        bulk_commit();
        bulk_wait();
    }
}

static void run(void)
{
    corrects<<<1, THREADS>>>(cells(THREADS));
    launched();
}
