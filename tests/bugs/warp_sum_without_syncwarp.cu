// SPDX-License-Identifier: MIT
/* Since Volta the lanes of a warp do not run in lockstep. */
__global__ void sum(int *x)
{
    __shared__ int s[2 * LANES];
    int lane = threadIdx.x;
    s[lane] = lane;
    s[lane + LANES] = 0;
    __syncwarp();
    for (int d = LANES / 2; d > 0; d /= 2) {
        int v = s[lane + d]; // against
#ifdef MENDED
        __syncwarp();
#endif
        s[lane] += v; // finds: race
        __syncwarp();
    }
    x[lane] = s[0];
}

static void run(void)
{
    sum<<<1, LANES>>>(cells(LANES));
    launched();
}
