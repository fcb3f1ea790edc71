// SPDX-License-Identifier: MIT
/* Three stages: in the last rounds no copy follows, so that the number of groups
 * that may stay under way must fall. */
enum { STAGES = 3, ROUNDS = 5 };

__global__ void stages(const int *x, int *y)
{
    __shared__ int tile[STAGES][THREADS];
    int t = threadIdx.x;
    for (int n = 0; n < STAGES - 1; n++) {
        __pipeline_memcpy_async(&tile[n][t], &x[n * THREADS + t], 4); // against
        __pipeline_commit();
    }
    for (int n = 0; n < ROUNDS; n++) {
        int next = n + STAGES - 1;
        if (next < ROUNDS) {
            __pipeline_memcpy_async(&tile[next % STAGES][t], &x[next * THREADS + t], 4); // against
#ifndef MENDED
            __pipeline_commit();
#endif
        }
#ifdef MENDED
        __pipeline_commit();
#endif
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        y[n * THREADS + t] = tile[n % STAGES][THREADS - 1 - t]; // finds: race
        __syncthreads();
    }
}

static void run(void)
{
    stages<<<1, THREADS>>>(cells(ROUNDS * THREADS), cells(ROUNDS * THREADS));
    launched();
}
