// SPDX-License-Identifier: MIT
/* A fence says in which order a lane's own accesses are seen. It waits for
 * nobody. */
__global__ void mirror(int *y)
{
    __shared__ int s[LANES];
    int lane = threadIdx.x;
    s[lane] = lane; // against
#ifdef MENDED
    __syncwarp();
#else
    __threadfence_block();
#endif
    y[lane] = s[LANES - 1 - lane]; // finds: race
}

static void run(void)
{
    mirror<<<1, LANES>>>(cells(LANES));
    launched();
}
