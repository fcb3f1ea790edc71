// SPDX-License-Identifier: MIT
// mutant: each block of a cluster sends the sums that it should keep
// chapter: 17 gemm
// expect: WRONG
// shape: M130 N131 K65
#define SENT_TO(rank) (rank)

#include "../tests/honest/hopper_k_in_a_cluster.cu"
