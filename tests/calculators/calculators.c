// SPDX-License-Identifier: MIT
/*
 * calculators.c: what the C functions behind the page's calculators say, a line
 * per question: `blocks GPU THREADS REGISTERS SHARED: ...` for every card and
 * many sizes, `roof FLOPS BYTES SECONDS BANDWIDTH PEAK: ...`. calculators.js
 * answers the same questions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/roofline.h"
#include "simgpu/blocks.h"

static void ask_blocks(const struct gpu_model *gpu, int threads, int registers,
                       int shared)
{
    struct gpu_blocks n = gpu_blocks(gpu, threads, registers, (size_t)shared);

    printf("blocks %s|%d|%d|%d: %d %d %d %d %d\n", gpu->name, threads,
           registers, shared, n.threads, n.slots, n.registers, n.shared,
           n.blocks);
}

/* A double's 64 bits: equal is equal. */
static uint64_t bits(double value)
{
    uint64_t n;

    memcpy(&n, &value, sizeof n);
    return n;
}

static void ask_roof(double flops, double bytes, double seconds,
                     const struct roofs *roofs)
{
    struct roofline r = roofline_place(flops, bytes, seconds, roofs);

    printf("roof %.17g|%.17g|%.17g|%.17g|%.17g: %016" PRIx64 " %016" PRIx64
           " %016" PRIx64 " %s\n",
           flops, bytes, seconds, roofs->bandwidth, roofs->flops,
           bits(r.intensity), bits(r.bandwidth), bits(r.percent_of_roof),
           r.bound);
}

int main(void)
{
    // Around the units of allocation, and past what a block may have.
    static const int threads[] = {1,   31,  32,  33,  96,   128, 256,
                                  480, 544, 832, 992, 1024, 1025};
    static const int registers[] = {1,  8,  9,   16,  24,  32,  40, 64,
                                    65, 73, 128, 129, 168, 255, 256};
    static const int shared[] = {0,     1,      127,    128,    129,
                                 1024,  4200,   24576,  25472,  49152,
                                 65536, 101376, 166912, 232448, 232449};
    const struct gpu_model *gpu;
    size_t n = gpu_list(&gpu);

    for (const struct gpu_model *g = gpu; g < gpu + n; g++) {
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
            for (size_t r = 0; r < sizeof registers / sizeof *registers; r++)
                for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
                    ask_blocks(g, threads[t], registers[r], shared[s]);
        struct roofs roofs = {g->bandwidth, g->peak[GPU_PEAK_fp32], false};
        for (double flops = 1; flops < 1e13; flops *= 7)
            for (double bytes = 4; bytes < 1e12; bytes *= 11)
                ask_roof(flops, bytes, 1e-3, &roofs);
        // On the ridge memory is named.
        ask_roof(roofs.flops, roofs.bandwidth, 1, &roofs);
    }
    return 0;
}
