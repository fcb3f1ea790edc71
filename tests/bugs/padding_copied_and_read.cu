// SPDX-License-Identifier: MIT
/* Structs with padding are copied as vectors. The copy's padding is as unwritten
 * as the first one's. */
struct __align__(16) point {
    float x, y, z;
};

__global__ void put(point *p)
{
    p[threadIdx.x].x = threadIdx.x;
    p[threadIdx.x].y = 1;
    p[threadIdx.x].z = 2;
}

__global__ void move(const float4 *from, float4 *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void read(const float *p, float *y)
{
#ifdef MENDED
    y[threadIdx.x] = p[4 * threadIdx.x + 2];
#else
    y[threadIdx.x] = p[4 * threadIdx.x + 3]; // finds: uninitialised
#endif
}

static void run(void)
{
    point *a = (point *)unset(4 * THREADS), *b = (point *)unset(4 * THREADS);
    put<<<1, THREADS>>>(a);
    move<<<1, THREADS>>>((const float4 *)a, (float4 *)b);
    read<<<1, THREADS>>>((const float *)b, (float *)cells(THREADS));
    launched();
}
