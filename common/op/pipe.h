// SPDX-License-Identifier: MIT
/*
 * pipe.h: the arithmetic units that an operator's flops can run on.
 *
 *   pipe_name   "fp32", "bf16_tensor": in reports, caches and tables
 *
 * Without "tensor" a pipe works lane by lane: multiply-adds, packed two by two
 * for the 16-bit types, and dp4a for int8. With it, it multiplies small
 * matrices. tf32 and fp8 exist on tensor cores alone.
 */
#ifndef WB_PIPE_H
#define WB_PIPE_H

enum pipe {
    PIPE_FP32,
    PIPE_FP64,
    PIPE_FP16,
    PIPE_BF16,
    PIPE_INT8,
    PIPE_FP64_TENSOR,
    PIPE_TF32_TENSOR,
    PIPE_FP16_TENSOR,
    PIPE_BF16_TENSOR,
    PIPE_FP8_TENSOR,
    PIPE_INT8_TENSOR,
    PIPES,
};

static inline const char *pipe_name(enum pipe pipe)
{
    static const char *const names[PIPES] = {
        [PIPE_FP32] = "fp32",
        [PIPE_FP64] = "fp64",
        [PIPE_FP16] = "fp16",
        [PIPE_BF16] = "bf16",
        [PIPE_INT8] = "int8",
        [PIPE_FP64_TENSOR] = "fp64_tensor",
        [PIPE_TF32_TENSOR] = "tf32_tensor",
        [PIPE_FP16_TENSOR] = "fp16_tensor",
        [PIPE_BF16_TENSOR] = "bf16_tensor",
        [PIPE_FP8_TENSOR] = "fp8_tensor",
        [PIPE_INT8_TENSOR] = "int8_tensor",
    };

    return names[pipe];
}

#endif
