// SPDX-License-Identifier: MIT
/*
 * row_barrier.cuh: barriers in shared memory that count arrivals and bytes, and
 * copies and words that arrive at them.
 *
 *   bar_init, bar_arrive, bar_expect, bar_wait   a barrier (mbarrier)
 *   bar_wait_cluster   the same for words of other blocks
 *   bulk_in     a bulk copy from global memory, whose bytes arrive
 *   bar_send    a word into another block of the cluster, whose bytes arrive
 *
 * They need compute capability 9.0, and a toolkit from 12.1 on: ROW_BARRIERS
 * says whether it is one, since PTX has had bar_send's instruction from there.
 */
#ifndef WB_ROW_BARRIER_CUH
#define WB_ROW_BARRIER_CUH

#include <stdint.h>

#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1201
#define ROW_BARRIERS 1
#else
#define ROW_BARRIERS 0
#endif

static __device__ inline unsigned bar_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

#if ROW_BARRIERS && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
static __device__ inline void bar_init(uint64_t *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     bar_address(barrier)),
                 "r"(arrivals)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ inline void bar_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                     bar_address(barrier))
                 : "memory");
}

// Arrives, and says how many bytes the phase also waits for.
static __device__ inline void bar_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     bar_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

// Waits for the end of the phase of this parity: 0 for the first, then 1.
// `from`: whose words are seen then, those of this block or of its cluster.
#define WB_BAR_WAIT(from)                                                     \
    unsigned over;                                                            \
                                                                              \
    do {                                                                      \
        asm volatile("{\n"                                                    \
                     ".reg .pred over;\n"                                     \
                     "mbarrier.try_wait.parity" from ".shared::cta.b64 "      \
                     "over, [%1], %2;\n"                                      \
                     "selp.b32 %0, 1, 0, over;\n"                             \
                     "}\n"                                                    \
                     : "=r"(over)                                             \
                     : "r"(bar_address(barrier)), "r"(parity)                 \
                     : "memory");                                             \
    } while (!over)

static __device__ inline void bar_wait(uint64_t *barrier, unsigned parity)
{
    WB_BAR_WAIT("");
}

static __device__ inline void bar_wait_cluster(uint64_t *barrier,
                                               unsigned parity)
{
    WB_BAR_WAIT(".acquire.cluster");
}
#undef WB_BAR_WAIT

static __device__ inline void bulk_in(void *to, const void *from,
                                      unsigned bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1], %2, [%3];" ::"r"(bar_address(to)),
                 "l"(from), "r"(bytes), "r"(bar_address(barrier))
                 : "memory");
}

// Stores to this word as block `rank` of the cluster has it; four bytes arrive
// at its barrier.
static __device__ inline void bar_send(float *to, float value,
                                       uint64_t *barrier, unsigned rank)
{
    asm volatile("{\n"
                 ".reg .b32 word, there;\n"
                 "mapa.shared::cluster.u32 word, %0, %3;\n"
                 "mapa.shared::cluster.u32 there, %2, %3;\n"
                 "st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 "
                 "[word], %1, [there];\n"
                 "}\n" ::"r"(bar_address(to)),
                 "f"(value), "r"(bar_address(barrier)), "r"(rank)
                 : "memory");
}
#endif

#endif
