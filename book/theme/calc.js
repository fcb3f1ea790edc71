// SPDX-License-Identifier: MIT
// What the page's calculators compute: the C functions of the workbook, again.
// tests/calculators compares their results. A quotient of whole numbers is cut,
// as in C.
//
//   gpu_blocks        common/simgpu/blocks.c: blocks per multiprocessor
//   roofline_place    common/harness/roofline.c: a kernel under its ceilings
"use strict";

const WARP = 32, MOST_THREADS = 1024, MOST_REGISTERS = 255;
const REGISTER_UNIT = 256;
const round_up = (n, unit) => Math.ceil(n / unit) * unit;

// threads: per block. registers: per thread. shared: bytes per block.
function gpu_blocks(gpu, threads, registers, shared) {
    if (threads > MOST_THREADS || registers > MOST_REGISTERS ||
        shared > gpu.shared_block_optin)
        return { threads: 0, slots: 0, registers: 0, shared: 0, blocks: 0 };
    const warps = Math.ceil(threads / WARP);
    const bytes = round_up(shared + gpu.shared_reserved,
        gpu.cc_major < 8 ? 256 : 128);
    // Each scheduler has its part of the registers, and no warp lies in two.
    const part_warps = Math.floor(gpu.registers_sm / gpu.schedulers /
        round_up(registers * WARP, REGISTER_UNIT));
    const n = {
        threads: Math.floor(Math.floor(gpu.max_threads_sm / WARP) / warps),
        slots: gpu.max_blocks_sm,
        registers: Math.floor(part_warps * gpu.schedulers / warps),
        shared: bytes ? Math.floor(gpu.shared_sm / bytes) : gpu.max_blocks_sm,
    };
    n.blocks = Math.min(n.threads, n.slots, n.registers, n.shared);
    return n;
}

// roofs: bandwidth in bytes and flops in operations, both per second.
function roofline_place(flops, bytes, seconds, roofs) {
    const at_memory = bytes / roofs.bandwidth, at_compute = flops / roofs.flops;
    return {
        intensity: flops / bytes,
        bandwidth: bytes / seconds,
        percent_of_roof: 100 * Math.max(at_memory, at_compute) / seconds,
        bound: at_memory >= at_compute ? "memory" : "compute",
    };
}

if (typeof module !== "undefined")
    module.exports = { gpu_blocks, roofline_place };
