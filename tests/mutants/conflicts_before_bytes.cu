// SPDX-License-Identifier: MIT
// mutant: the tile of step 2, where the step is about bank conflicts
// chapter: 07 forward
// expect: TECHNIQUE
// say: why .*banks?
#include "../solutions/07-dwconv-warp-tiled/tile.cu"
