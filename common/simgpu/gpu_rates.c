// SPDX-License-Identifier: MIT
/*
 * gpu_rates.c: how fast the units of a multiprocessor are. Interface: gpu.h.
 *
 * By compute capability: the CUDA Programming Guide, "Throughput of Native
 * Arithmetic Instructions", results per clock and multiprocessor. 9.0 is as
 * measured on an H200, 64 warps per multiprocessor, in clocks per warp
 * operation: special, bits and float-to-integer 2.0; shuffle and vote 1.0;
 * 32-bit multiplication, shift and permutation 0.5; redux 1.9; a block's
 * barrier 3.5 (tests/hardware/rates-h200.csv; used for every GPU). A half
 * operation is of two numbers, so the Guide's rate per number halves. Where the
 * Guide says "multiple instructions" the rate is that of the sequence, or that
 * of the next capability that has the instruction.
 */
#include "gpu.h"

struct rates {
    int major, minor;
    double lanes[GPU_N_PIPES];
};

static const struct rates all[] = {
    {6, 0, {[PIPE_fp32] = 64, [PIPE_fp64] = 32, [PIPE_half] = 64,
            [PIPE_integer] = 64, [PIPE_shift] = 32, [PIPE_multiply] = 21,
            [PIPE_bits] = 16, [PIPE_special] = 16, [PIPE_convert] = 16,
            [PIPE_convert64] = 16, [PIPE_exchange] = 32, [PIPE_vote] = 32,
            [PIPE_reduce] = 16}},
    {7, 5, {[PIPE_fp32] = 64, [PIPE_fp64] = 2, [PIPE_half] = 64,
            [PIPE_integer] = 64, [PIPE_shift] = 64, [PIPE_multiply] = 64,
            [PIPE_bits] = 16, [PIPE_special] = 16, [PIPE_convert] = 16,
            [PIPE_convert64] = 2, [PIPE_exchange] = 32, [PIPE_vote] = 64,
            [PIPE_reduce] = 16, [PIPE_half_tensor] = 512,
            [PIPE_int8_tensor] = 1024, [PIPE_int4_tensor] = 2048}},
    {8, 0, {[PIPE_fp32] = 64, [PIPE_fp64] = 32, [PIPE_half] = 128,
            [PIPE_integer] = 64, [PIPE_shift] = 64, [PIPE_multiply] = 64,
            [PIPE_bits] = 16, [PIPE_special] = 16, [PIPE_convert] = 16,
            [PIPE_convert64] = 16, [PIPE_exchange] = 32, [PIPE_vote] = 64,
            [PIPE_reduce] = 16, [PIPE_half_tensor] = 1024,
            [PIPE_tf32_tensor] = 512, [PIPE_fp64_tensor] = 64,
            [PIPE_int8_tensor] = 2048, [PIPE_int4_tensor] = 4096}},
    {8, 9, {[PIPE_fp32] = 128, [PIPE_fp64] = 2, [PIPE_half] = 64,
            [PIPE_integer] = 64, [PIPE_shift] = 64, [PIPE_multiply] = 64,
            [PIPE_bits] = 16, [PIPE_special] = 16, [PIPE_convert] = 16,
            [PIPE_convert64] = 2, [PIPE_exchange] = 32, [PIPE_vote] = 64,
            [PIPE_reduce] = 16, [PIPE_half_tensor] = 256,
            [PIPE_tf32_tensor] = 128, [PIPE_fp8_tensor] = 512,
            [PIPE_int8_tensor] = 1024, [PIPE_int4_tensor] = 2048}},
    {9, 0, {[PIPE_fp32] = 128, [PIPE_fp64] = 64, [PIPE_half] = 128,
            [PIPE_integer] = 64, [PIPE_shift] = 64, [PIPE_multiply] = 64,
            [PIPE_bits] = 16, [PIPE_special] = 16, [PIPE_convert] = 16,
            [PIPE_convert64] = 16, [PIPE_exchange] = 32, [PIPE_vote] = 32,
            [PIPE_reduce] = 16, [PIPE_half_tensor] = 1262,
            [PIPE_tf32_tensor] = 627, [PIPE_fp8_tensor] = 410,
            [PIPE_int8_tensor] = 179, [PIPE_int4_tensor] = 86,
            [PIPE_fp64_tensor] = 127, [PIPE_half_group] = 2048,
            [PIPE_tf32_group] = 1024, [PIPE_fp8_group] = 4096,
            [PIPE_int8_group] = 4096}},
};

double gpu_lanes(const struct gpu_model *gpu, enum gpu_pipe pipe)
{
    if (pipe == PIPE_barrier)
        return 32 / 3.5;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].major == gpu->cc_major && all[k].minor == gpu->cc_minor)
            return all[k].lanes[pipe];
    return 0;
}
