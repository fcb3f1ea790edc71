// SPDX-License-Identifier: MIT
/* A buffer is written while a copy into it is under way. */
__global__ void crossed(const int *x, int *y)
{
    __shared__ int tile[THREADS];
    __shared__ object there;
    int t = threadIdx.x;
    if (t == 0)
        object_init(&there, THREADS);
    __syncthreads();
    copy_async(&tile[t], &x[t]); // against
    copies_arrive(&there);
#ifdef MENDED
    object_wait(&there, 0);
#endif
    tile[t] = t; // finds: race
#ifndef MENDED
    object_wait(&there, 0);
#endif
    y[t] = tile[t];
}

static void run(void)
{
    crossed<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
