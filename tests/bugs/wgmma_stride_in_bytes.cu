// SPDX-License-Identifier: MIT
// since: 12
/* A descriptor's offsets count 16 bytes, in 14 bits. One that is in bytes runs
 * over into the bits of the base offset. */
__global__ void multiplies(float *y)
{
    __shared__ alignas(128) unsigned tile[THREADS]; // B: 16 by 16, of bf16
    unsigned t = threadIdx.x, ones = 0x3f803f80u;
#ifdef MENDED
    unsigned long long leading = 128 / 16, stride = 256 / 16;
#else
    unsigned long long leading = 128, stride = 128 << 10;
#endif
    unsigned long long at = in_shared(tile) / 16 | leading << 16 | stride << 32;
    float d[8] = {0};
    tile[t] = ones;
    proxy_fence();
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %8, %8, %8}, %9, 1, 1, 1, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]) : "r"(ones), "l"(at) : "memory"); // finds: unsupported
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int n = 0; n < 8; n++)
        y[8 * t + n] = d[n];
}

static void run(void)
{
    multiplies<<<1, THREADS>>>((float *)cells(8 * THREADS));
    launched();
}
