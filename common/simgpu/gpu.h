// SPDX-License-Identifier: MIT
/*
 * gpu.h: the GPUs that the simulator can pose as, as data.
 *
 *   gpu_find    "h200" -> its model, NULL if unknown
 *   gpu_list    all of them
 *
 * Datasheet rates are leads, not measurements; each row names its source.
 */
#ifndef SIMGPU_GPU_H
#define SIMGPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu_model {
    const char *key;             /* "h200" */
    const char *name;            /* "NVIDIA H200" */
    int cc_major, cc_minor;      /* compute capability */
    int sms;
    int clock_khz;               /* boost */
    int memory_clock_khz, bus_bits;
    uint64_t memory_bytes;       /* more than a 32-bit host can address */
    size_t l2_bytes;
    int max_threads_sm, max_blocks_sm, registers_sm;
    size_t shared_sm;            /* bytes an SM */
    size_t shared_block;         /* bytes a block, by default: 48 KiB */
    size_t shared_block_optin;   /* bytes a block, after the attribute */
    size_t shared_reserved;      /* bytes the system takes a block */
    double bandwidth;            /* bytes a second */
    double fp32_flops;           /* a second */
    int schedulers;              /* an SM: warp instructions a clock */
    size_t l1_bytes;             /* an SM */
    bool l1_with_shared;         /* of which shared memory takes its part */
    const char *source;
};

const struct gpu_model *gpu_find(const char *key);
size_t gpu_list(const struct gpu_model **list);

#endif
