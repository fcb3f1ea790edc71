// SPDX-License-Identifier: MIT
// mutant: launch bounds leave a thread half of its registers, and it spills
// chapter: 16 turned
// expect: SLOW PREDICTED
#include <cuda_runtime.h>

#undef __launch_bounds__
#define __launch_bounds__(threads, blocks)                                     \
    __annotate__(launch_bounds(threads, 2))

#include "../solutions/16-gemm-tensor-core/turned.cu"
