// SPDX-License-Identifier: MIT
/*
 * spin.cu: see spin.h.
 * The idea: a thread that polls the GPU's nanosecond timer runs for a known
 * time at any clock rate.
 */
#include "stopwatch/spin.h"

enum {
    LINE_WORDS = 32,    /* of a cache line: 128 bytes */
    WORDS_COMPARED = 1024,
    THREADS = 256,
};

static __device__ unsigned long long nanoseconds(void)
{
    unsigned long long now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __global__ void spin(const unsigned *input, size_t words,
                            unsigned long long ns, unsigned long long alike_ns)
{
    unsigned long long begun = nanoseconds();
    int differs = 0;

    for (unsigned i = threadIdx.x; i < words && i < WORDS_COMPARED;
         i += THREADS)
        differs |= input[i] != input[0];
    differs = __syncthreads_or(differs); /* does any thread see a difference? */
    while (nanoseconds() - begun < (differs ? ns : alike_ns))
        ;
}

cudaError_t spin_launch(const void *input, size_t bytes, double us,
                        double alike_us, cudaStream_t stream)
{
    spin<<<1, THREADS, 0, stream>>>((const unsigned *)input,
                                    bytes / sizeof(unsigned),
                                    (unsigned long long)(us * 1e3),
                                    (unsigned long long)(alike_us * 1e3));
    return cudaGetLastError();
}

/* Each address depends on the load before it. The dependence is only formal,
 * as the loaded word is multiplied by 0, but the compiler cannot know that.
 * Loads bypass L1 (.cg). */
static __global__ void chase(const unsigned *input, unsigned lines,
                             unsigned steps, unsigned zero, unsigned *never)
{
    unsigned at = 0;

    for (unsigned i = 0; i < steps; i++) {
        unsigned word = __ldcg(&input[(size_t)at * LINE_WORDS]);

        /* Full period over a power of two: each line once per period. */
        at = (at * 1664525u + 1013904223u + word * zero) & (lines - 1);
    }
    if (at == lines) /* never true, but the compiler cannot know */
        *never = at;
}

cudaError_t chase_launch(const void *input, size_t bytes, unsigned steps,
                         cudaStream_t stream)
{
    unsigned lines = (unsigned)(bytes / sizeof(unsigned) / LINE_WORDS);

    chase<<<1, 1, 0, stream>>>((const unsigned *)input, lines, steps, 0,
                               (unsigned *)input);
    return cudaGetLastError();
}
