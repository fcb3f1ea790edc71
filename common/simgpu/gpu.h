// SPDX-License-Identifier: MIT
/*
 * gpu.h: the GPUs that the simulator can pose as, as data.
 *
 *   gpu_find        "h200" -> its model, NULL if unknown
 *   gpu_named       "NVIDIA H200 NVL" -> the row whose name that one holds
 *   gpu_list        all of them
 *   gpu_peak        a peak by its name
 *   gpu_lanes       lanes per clock and multiprocessor that a pipe executes
 *
 * A row names the source of its figures. Datasheet peaks are leads, not
 * measurements; the pipes' rates are measured for the H200 and published for
 * the others (gpu_rates.c).
 */
#ifndef SIMGPU_GPU_H
#define SIMGPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Peak rates that a datasheet gives, by type; int8: by dp4a, eight operations
 * per lane, which is on none. _tensor: on tensor cores, without sparsity, fp16,
 * bf16 and fp8 with fp32 accumulators. A peak of zero means
 * that the GPU cannot do it so. */
#define GPU_PEAKS(X)                                                           \
    X(fp64) X(fp32) X(fp16) X(bf16) X(int8)                                    \
    X(fp64_tensor) X(tf32_tensor) X(fp16_tensor) X(bf16_tensor)                \
    X(fp8_tensor) X(int8_tensor)

enum gpu_peak {
#define X(name) GPU_PEAK_##name,
    GPU_PEAKS(X)
#undef X
    GPU_N_PEAKS,
};

/*
 * The units of a multiprocessor, and what they do.
 *   half: two 16-bit numbers per lane. integer: add, compare, logic, select.
 *   shift: byte permutation too. multiply: 32 x 32 bits. bits: population
 *   count, leading zeros. special: reciprocal, root, exponential, sine.
 *   convert: between kinds of numbers; convert64: from and to 64 bits.
 *   exchange: shuffles; vote: votes; reduce: redux. barrier: of a block.
 *   memory: the load/store unit, whose time depends on the addresses
 *   (model/traffic_access.c). *_tensor: products of small matrices by mma, in
 *   multiply-adds; half: fp16 and bf16.
 *   *_group: the same by wgmma, which reaches more of the tensor cores' rate.
 */
#define GPU_PIPES(X)                                                           \
    X(none) X(fp32) X(fp64) X(half) X(integer) X(shift) X(multiply) X(bits)    \
    X(special) X(convert) X(convert64) X(exchange) X(vote) X(reduce)           \
    X(memory) X(control) X(barrier)                                            \
    X(fp64_tensor) X(tf32_tensor) X(half_tensor) X(fp8_tensor) X(int8_tensor)  \
    X(int4_tensor) X(tf32_group) X(half_group) X(fp8_group) X(int8_group)

enum gpu_pipe {
#define X(name) PIPE_##name,
    GPU_PIPES(X)
#undef X
    GPU_N_PIPES,
};

struct gpu_model {
    const char *key;             /* "h200" */
    const char *name;            /* "NVIDIA H200" */
    int cc_major, cc_minor;      /* compute capability */
    int sms;
    int groups[8];               /* of multiprocessors, which keep a cluster
                                    together: so many in each; all 0: it has
                                    no clusters, or nobody knows */
    int clock_khz;               /* boost */
    int memory_clock_khz, bus_bits;
    uint64_t memory_bytes;       /* more than a 32-bit host can address */
    size_t l2_bytes;
    int max_threads_sm, max_blocks_sm, registers_sm;
    size_t shared_sm;            /* bytes per multiprocessor */
    size_t shared_block;         /* bytes per block, by default: 48 KiB */
    size_t shared_block_optin;   /* bytes per block, after the attribute */
    size_t shared_reserved;      /* bytes the system takes of each block's */
    double bandwidth;            /* bytes per second */
    double peak[GPU_N_PEAKS];    /* operations per second */
    int schedulers;              /* per multiprocessor: warp instructions per
                                    clock */
    size_t l1_bytes;             /* per multiprocessor */
    bool l1_with_shared;         /* of which shared memory takes its part */
    const char *source;
};

const struct gpu_model *gpu_find(const char *key);
/* NULL: none. The longest name counts: an H200 NVL is an H200 here. */
const struct gpu_model *gpu_named(const char *name);
size_t gpu_list(const struct gpu_model **list);
/* Operations per second; 0: the GPU has no such peak, or none is known. */
double gpu_peak(const struct gpu_model *gpu, const char *name);

/* Lanes (of tensor cores: multiply-adds) per clock and multiprocessor; 0:
 * nothing that is known limits the pipe but the issue of instructions. */
double gpu_lanes(const struct gpu_model *gpu, enum gpu_pipe pipe);

#endif
