// SPDX-License-Identifier: MIT
/*
 * blocks.h: how many blocks of a kernel a multiprocessor holds at once.
 *
 *   gpu_blocks        what each resource allows, and the least of them
 *   gpu_clusters      clusters that the GPU holds
 *   gpu_shared_unit   shared memory is allocated in multiples of so many bytes
 *
 * Limits are the CUDA Programming Guide's ("Technical Specifications per
 * Compute Capability"); units, and that registers are allocated within the
 * part of one scheduler, are those of CUDA 13's cuda_occupancy.h. The book's
 * page has the same function in JavaScript (book/theme/calc.js);
 * tests/calculators compares the two.
 */
#ifndef SIMGPU_BLOCKS_H
#define SIMGPU_BLOCKS_H

#include "gpu.h"

struct gpu_blocks {
    int threads, slots, registers, shared; /* blocks that each allows */
    int blocks;                            /* the least of the four */
};

/* threads: per block, at least 1. registers: per thread, at least 1. shared:
   bytes per block, static and dynamic. All 0 where a block may not have so
   much of any of them. */
struct gpu_blocks gpu_blocks(const struct gpu_model *gpu, int threads,
                             int registers, size_t shared);

/* Clusters of so many blocks, of which a multiprocessor holds of_sm. */
int gpu_clusters(const struct gpu_model *gpu, int of_sm, int blocks);

size_t gpu_shared_unit(const struct gpu_model *gpu);

#endif
