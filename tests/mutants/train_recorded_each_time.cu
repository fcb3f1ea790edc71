// SPDX-License-Identifier: MIT
// mutant: T graphs are recorded and each is launched once: nothing is replayed
// chapter: 24 train
// expect: TECHNIQUE graph_replays
// say: runs only once
//> todo graph
    for (int i = 0; i < s.T; i++) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;

        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        step(a, s, stream);
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
    }
//< todo
