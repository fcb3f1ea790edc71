// SPDX-License-Identifier: MIT
// mutant: copies the array's start where zeros belong
// chapter: 09 forward
// expect: WRONG
// shape: B2 H33 L100 K23
#include <cuda_pipeline_primitives.h>

#define __pipeline_memcpy_async(to, from, size, zeros) \
    __pipeline_memcpy_async(to, from, size, 0)

#include "../solutions/09-dwconv-floor/forward.cu"
