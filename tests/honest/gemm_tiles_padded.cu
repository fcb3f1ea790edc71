// SPDX-License-Identifier: MIT
// honest: tiles of 16, padded, so that two lanes of a store meet in a bank
// chapter: 12 gemm
// expect: PASS
// from: 12 gemm
// edit: s/TILE = 32/TILE = 16/
// edit: s/\[TILE\]\[TILE\]/[TILE][TILE + 1]/g
