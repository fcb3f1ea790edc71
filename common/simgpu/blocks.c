// SPDX-License-Identifier: MIT
/*
 * blocks.c: see blocks.h.
 */
#include "blocks.h"

enum {
    WARP = 32,
    MOST_THREADS = 1024,  /* per block */
    MOST_REGISTERS = 255, /* per thread */
    REGISTER_UNIT = 256,  /* a warp's registers are allocated in these units */
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

size_t gpu_shared_unit(const struct gpu_model *gpu)
{
    return gpu->cc_major < 8 ? 256 : 128;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

struct gpu_blocks gpu_blocks(const struct gpu_model *gpu, int threads,
                             int registers, size_t shared)
{
    if (threads > MOST_THREADS || registers > MOST_REGISTERS ||
        shared > gpu->shared_block_optin)
        return (struct gpu_blocks){0};
    int warps = (threads + WARP - 1) / WARP;
    int warp_registers = (int)round_up((size_t)registers * WARP, REGISTER_UNIT);
    // Each scheduler has its part of the registers, and no warp lies in two.
    int part_warps = gpu->registers_sm / gpu->schedulers / warp_registers;
    size_t bytes = round_up(shared + gpu->shared_reserved,
                            gpu_shared_unit(gpu));
    struct gpu_blocks n = {
        .threads = gpu->max_threads_sm / WARP / warps,
        .slots = gpu->max_blocks_sm,
        .registers = part_warps * gpu->schedulers / warps,
        .shared = bytes ? (int)(gpu->shared_sm / bytes) : gpu->max_blocks_sm,
    };
    n.blocks = least(least(n.threads, n.slots), least(n.registers, n.shared));
    return n;
}

/* A part of a GPU (device/main.c, "--multiprocessors") has no groups. */
int gpu_clusters(const struct gpu_model *gpu, int of_sm, int blocks)
{
    int clusters = 0, sms = 0;
    for (size_t k = 0; k < sizeof gpu->groups / sizeof *gpu->groups; k++) {
        clusters += gpu->groups[k] * of_sm / blocks;
        sms += gpu->groups[k];
    }
    return sms == gpu->sms ? clusters : gpu->sms * of_sm / blocks;
}
