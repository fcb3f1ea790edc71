// SPDX-License-Identifier: MIT
// mutant: fragments still come word by word, for warps twice as wide
// chapter: 16 matrices
// expect: TECHNIQUE shared_load_wavefronts_per_request 1 >= 1.2 MISSED
// say: brings a warp 1 wavefronts
// from: 16 fragments
// edit: s/WN = 32,/WN = 64,/
// edit: s/BLOCKS = 2,/BLOCKS = 1,/
