// SPDX-License-Identifier: MIT
// honest: B goes straight to registers, in parts of k; a second kernel joins
// chapter: 15 split
// shape: M4 N4 K1024
// say: blocks_at_work .* >= 1.7 at M4 N4 K1024
// expect: PASS
#include "../tests/honest/few_straight_to_registers.cu"
