// SPDX-License-Identifier: MIT
// mutant: no graph: the host launches every kernel of every step
// chapter: 24 train
// expect: TECHNIQUE
// say: graph_launches +0 +>= 16 +MISSED
// say: Graphs launch 0 of its kernels
//> todo graph
    for (int i = 0; i < s.T; i++)
        step(a, s, stream);
    CHECK(cudaStreamSynchronize(stream));
//< todo
