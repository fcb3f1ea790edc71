// SPDX-License-Identifier: MIT
// mistake: a warp per block is launched where the kernel counts on eight
// chapter: 21 two_sums
// expect: MEMORY uninitialised
// say: launched as grid \([0-9]+,1,1\), block \(32,1,1\)
// say: A block has 32 threads here: are they too few
//> todo launch
    (void)workspace; // none was asked for
    layer_norm<<<shape.R, LANES, 0, stream>>>(x, gamma, beta, y, shape, eps);
//< todo
