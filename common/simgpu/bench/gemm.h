// SPDX-License-Identifier: MIT
/* gemm.h: the interface of gemm.cu, for sim.c. */
#ifndef SIMGPU_BENCH_GEMM_H
#define SIMGPU_BENCH_GEMM_H

struct gemm_size {
    int m, n, k;
};

#endif
