// SPDX-License-Identifier: MIT
/*
 * mbarrier.h: the PTX of mbarriers, an instruction each.
 *
 *   object_init, object_arrive, object_wait
 *   copy_async, copies_arrive    a word; all copies of this thread so far
 */
#ifndef MBARRIER_H
#define MBARRIER_H

typedef unsigned long long object;

static __device__ unsigned in_shared(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ void object_init(object *o, int count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(in_shared(o)),
                 "r"(count) : "memory");
}

static __device__ __forceinline__ void object_arrive(object *o)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(
                     in_shared(o)) : "memory");
}

/* Until the phase of this parity has ended. */
static __device__ __forceinline__ void object_wait(object *o, int parity)
{
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                     "selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(in_shared(o)), "r"(parity) : "memory");
}

static __device__ __forceinline__ void copy_async(int *to, const int *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     in_shared(to)), "l"(from) : "memory");
}

static __device__ __forceinline__ void copies_arrive(object *o)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                     in_shared(o)) : "memory");
}

#endif
