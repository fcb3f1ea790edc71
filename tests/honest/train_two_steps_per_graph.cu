// SPDX-License-Identifier: MIT
// honest: a graph holds two steps; the host launches the one that is left
// chapter: 24 train
// expect: PASS
//> todo graph
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 2; i++)
        step(a, s, stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 0; i < s.T / 2; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    if (s.T % 2)
        step(a, s, stream);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
//< todo
