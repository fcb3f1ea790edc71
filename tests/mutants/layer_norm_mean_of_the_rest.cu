// SPDX-License-Identifier: MIT
// mutant: once more, x is loaded to mend its mean
// chapter: 21 two_sums
// expect: TECHNIQUE bytes_beside_parameters 2.46.* <= 2.05 MISSED
// shape: R64 C4096
// from: 21 two_sums
// edit: /float mean =/a mean += over_block(rest, shared) / s.C;
// edit: /float mean =/a rest += row[col] - mean;
// edit: /float mean =/a for (int col = threadIdx.x; col < s.C; col += THREADS)
// edit: /float mean =/a float rest = 0.0f;
