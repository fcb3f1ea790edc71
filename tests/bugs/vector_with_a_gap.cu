// SPDX-License-Identifier: MIT
/* Points of three numbers in vectors of four: who reads the fourth reads what
 * nobody wrote. */
__global__ void put(float4 *p)
{
    p[threadIdx.x].x = 1;
    p[threadIdx.x].y = 2;
    p[threadIdx.x].z = 3;
}

__global__ void norm(const float4 *p, float *y)
{
    float4 v = p[threadIdx.x]; // finds: uninitialised
#ifdef MENDED
    y[threadIdx.x] = v.x * v.x + v.y * v.y + v.z * v.z;
#else
    y[threadIdx.x] = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
#endif
}

static void run(void)
{
    float4 *p = (float4 *)unset(4 * THREADS);
    put<<<1, THREADS>>>(p);
    norm<<<1, THREADS>>>(p, (float *)cells(THREADS));
    launched();
}
