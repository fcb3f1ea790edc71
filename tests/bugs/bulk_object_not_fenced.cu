// SPDX-License-Identifier: MIT
// since: 12
/* A bulk copy counts on an mbarrier whose initialisation it may not see. */
__global__ void brings(const int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(in_shared(&full)) : "memory"); // against
#ifdef MENDED
        object_fence();
#endif
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile)), "l"(x), "r"((int)sizeof tile), "r"(in_shared(&full)) : "memory"); // finds: proxy
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    brings<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
