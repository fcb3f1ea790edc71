// SPDX-License-Identifier: MIT
/* Rows of three numbers in vectors of four. The fourth counts only where
 * somebody wrote it; nvcc loads the whole vector and selects. */
__global__ void put(float4 *p)
{
    float *x = (float *)&p[threadIdx.x];
    x[0] = threadIdx.x;
    x[1] = x[2] = 1;
    if (threadIdx.x % 2)
        x[3] = 5;
}

__global__ void sum(const float4 *p, float *y)
{
    float4 v = p[threadIdx.x]; // finds: uninitialised
    float s = v.x + v.y + v.z;
#ifdef MENDED
    if (threadIdx.x % 2)
#else
    if (threadIdx.x % 3)
#endif
        s += v.w;
    y[threadIdx.x] = s;
}

static void run(void)
{
    float4 *p = (float4 *)unset(4 * THREADS);
    put<<<1, THREADS>>>(p);
    sum<<<1, THREADS>>>(p, (float *)cells(THREADS));
    launched();
}
