// SPDX-License-Identifier: MIT
// honest: many small parts of one tile, dealt out in turn
// chapter: 15 split
// shape: M4 N4 K1024
// say: blocks_at_work .* >= 1.7 at M4 N4 K1024
// expect: PASS
#include "../tests/honest/gemm_many_small_parts.cu"
