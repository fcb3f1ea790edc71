// SPDX-License-Identifier: MIT
/* volatile makes lanes read memory again, but does not synchronise them. */
__global__ void sum(int *x)
{
    __shared__ int s[2 * LANES];
    volatile int *v = s;
    int lane = threadIdx.x;
    v[lane] = lane;
    v[lane + LANES] = 0;
    __syncwarp();
#pragma unroll
    for (int d = LANES / 2; d > 0; d /= 2) {
#ifdef MENDED
        int right = v[lane + d];
        __syncwarp();
        v[lane] += right;
        __syncwarp();
#else
        v[lane] += v[lane + d]; // finds: race
#endif
    }
    x[lane] = s[0]; // against
}

static void run(void)
{
    sum<<<1, LANES>>>(cells(LANES));
    launched();
}
