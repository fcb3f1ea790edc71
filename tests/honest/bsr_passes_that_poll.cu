// SPDX-License-Identifier: MIT
// honest: four passes in one launch, without a grid's barrier: warps poll
// chapter: 19 passes
// expect: PASS
// say: No time is predicted at .* so its speed was not compared
enum { BLOCKS = 32, BSR_THREADS = 256, POLL = 32 };
#include "../tests/honest/bsr_passes_that_poll.cuh"
