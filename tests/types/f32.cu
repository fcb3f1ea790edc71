// SPDX-License-Identifier: MIT
// honest: fp32, in-and-out C, leading dimensions and scalars
// op: gemm_f32
// expect: PASS
#include "gemm.cuh"
