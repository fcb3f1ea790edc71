// SPDX-License-Identifier: MIT
// honest: the first step is executed, the others replay a graph of it
// chapter: 24 train
// expect: PASS
//> todo graph
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    step(a, s, stream);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    step(a, s, stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    for (int i = 1; i < s.T; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
//< todo
