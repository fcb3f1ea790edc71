// SPDX-License-Identifier: MIT
// honest: many small parts, at the shape whose last tile is cut
// chapter: 15 gemm
// shape: M516 N4 K208 on 4
// say: blocks_at_work 3.* >= 3.2 at M516 N4 K208 on 4
// expect: PASS
#include "../tests/honest/gemm_many_small_parts.cu"
