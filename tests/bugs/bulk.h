// SPDX-License-Identifier: MIT
/*
 * bulk.h: the PTX of bulk copies, an instruction each.
 *
 *   bulk_in, bulk_out       to shared memory, and an mbarrier; to global memory
 *   object_expects          arrives, and announces bytes
 *   bulk_commit, bulk_read_wait, bulk_wait
 *   proxy_fence, object_fence
 */
#ifndef BULK_H
#define BULK_H

static __device__ __forceinline__ void bulk_in(void *to, const void *from,
                                               int bytes, object *o)
{
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     in_shared(to)), "l"(from), "r"(bytes), "r"(in_shared(o))
                 : "memory");
}

static __device__ __forceinline__ void bulk_out(void *to, const void *from,
                                                int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 ::"l"(to), "r"(in_shared(from)), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void object_expects(object *o, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(
                     in_shared(o)), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void bulk_commit(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

static __device__ __forceinline__ void bulk_read_wait(void)
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

static __device__ __forceinline__ void bulk_wait(void)
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

static __device__ __forceinline__ void proxy_fence(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void object_fence(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

#endif
