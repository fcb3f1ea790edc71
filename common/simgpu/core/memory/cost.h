// SPDX-License-Identifier: MIT
/*
 * cost.h: what one warp's access costs, as an H200 counts it.
 *
 *   access_sectors      distinct 32-byte lines
 *   access_wavefronts   passes through shared memory's 32 banks
 *   access_pass_lanes   how many neighbouring lanes a pass serves
 *   access_addresses    distinct addresses
 *
 * Source: measured, 135 of 135 launches of tests/simgpu/data.
 */
#ifndef SIMGPU_COST_H
#define SIMGPU_COST_H

#include <stdbool.h>
#include <stdint.h>

struct wavefronts {
    uint32_t wavefronts, conflicts;
};

/* addr: a lane's address, aligned to bytes (at most 32), for each lane of
 * mask. Masks are not empty. merges: passes may be one, as those of plain
 * loads. */
uint32_t access_sectors(const uint64_t addr[32], uint32_t mask);
struct wavefronts access_wavefronts(const uint64_t addr[32], uint32_t mask,
                                    uint32_t bytes, bool merges);
uint32_t access_pass_lanes(const uint64_t addr[32], uint32_t mask,
                           uint32_t bytes, bool merges);
uint32_t access_addresses(const uint64_t addr[32], uint32_t mask);

#endif
