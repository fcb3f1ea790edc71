// SPDX-License-Identifier: MIT
// mutant: all batches in one graph, launched once: nothing is replayed
// chapter: 24 train
// expect: TECHNIQUE graph_replays
// say: runs only once
//> todo graph
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < s.T; i++)
        step(a, s, stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
//< todo
