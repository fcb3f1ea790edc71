// SPDX-License-Identifier: MIT
// since: 12
/* No bug: a thread tries some hundred times, and does without what never comes. */
__global__ void tries(int *y)
{
    __shared__ object never;
    int done = 0, n = 0;

    if (threadIdx.x)
        return;
    object_init(&never, 1);
    for (; n < 300 && !done; n++)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                     "selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(in_shared(&never)) : "memory");
    *y = n;
}

static void run(void)
{
    int h, *y = cells(1);

    tries<<<1, THREADS>>>(y);
    CUDA(cudaMemcpy(&h, y, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == 300);
}
