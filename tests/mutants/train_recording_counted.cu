// SPDX-License-Identifier: MIT
// mutant: what was recorded is taken for the first step: one replay too few
// chapter: 24 train
// expect: WRONG
// shape: T5 B3 H4 L24 K8
//> todo graph
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    step(a, s, stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 1; i < s.T; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
//< todo
