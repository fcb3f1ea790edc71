// SPDX-License-Identifier: MIT
// mutant: no shared memory, so no barriers; its copies are read by nobody
// chapter: 15 stages
// expect: TECHNIQUE global_load_requests_per_flop .* MISSED
// shape: M256 N256 K128
#include <cuda_pipeline_primitives.h>

#define PREPARE __shared__ float show[THREADS];
#define STEP                                                                   \
    __pipeline_memcpy_async(&show[threadIdx.x], A, sizeof(float));             \
    __pipeline_commit();                                                       \
    __pipeline_wait_prior(1);

#include "../tests/mutants/gemm_unshared.cuh"
