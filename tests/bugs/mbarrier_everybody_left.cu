// SPDX-License-Identifier: MIT
/* All threads leave an mbarrier, and wait for a phase after their last. */
static __device__ __forceinline__ void object_leave(object *o)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0]; }"
                 ::"r"(in_shared(o)) : "memory");
}

__global__ void leave(int *y)
{
    __shared__ object there;
    int t = threadIdx.x;
    if (t == 0)
        object_init(&there, LANES);
    __syncthreads();
    y[t] = t;
    object_leave(&there);
    object_wait(&there, 0);
#ifndef MENDED
    asm volatile("{ .reg .pred p;\n"
                 "WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 1;\n"
                 "@!p bra WAIT; }" ::"r"(in_shared(&there)) : "memory"); // finds: deadlock
#endif
}

static void run(void)
{
    leave<<<1, LANES>>>(cells(LANES));
    launched();
}
