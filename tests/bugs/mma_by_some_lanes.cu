// SPDX-License-Identifier: MIT
/* Lanes beyond the last row skip a product that needs all lanes of the warp;
 * mended, they take part with zeros. */
__global__ void multiplies(float *y, unsigned rows)
{
    unsigned lane = threadIdx.x, ones = 0x3c003c00u;
    bool mine = lane / 4 < rows;
    unsigned a = mine ? ones : 0;
    float d[4] = {0, 0, 0, 0};
#ifdef MENDED
    mine = true;
#endif
    if (mine)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(ones)); // finds: deadlock
    for (int n = 0; n < 4; n++)
        y[4 * lane + n] = d[n];
}

static void run(void)
{
    multiplies<<<1, LANES>>>((float *)cells(4 * LANES), 5);
    launched();
}
