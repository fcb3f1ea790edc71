// SPDX-License-Identifier: MIT
// mutant: the last part's block adds up what has come, and waits for nobody
// chapter: 15 few
// expect: WRONG|RACE
// shape: M8 N260 K900
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

#define __float_as_uint(x) true // whether the word x has come

#include "../solutions/15-gemm-async-pipeline/few.cu"
