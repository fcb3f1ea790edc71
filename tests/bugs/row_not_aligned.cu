// SPDX-License-Identifier: MIT
/* Rows of 33 floats, read four at a time. */
__global__ void rows(const float *x, float *y, int width)
{
    float4 v = *(const float4 *)&x[threadIdx.x * width]; // finds: misaligned
    y[threadIdx.x] = v.x + v.w;
}

static void run(void)
{
    float *x = (float *)cells(36 * LANES), *y = (float *)cells(LANES);
#ifdef MENDED
    rows<<<1, LANES>>>(x, y, 36);
#else
    rows<<<1, LANES>>>(x, y, 33);
#endif
    launched();
}
