// SPDX-License-Identifier: MIT
// mutant: each step is recorded anew, and replaces the graph that was launched
// chapter: 24 train
// expect: TECHNIQUE graph_replays
// since: 12.0 cudaGraphExecUpdate had other parameters
//> todo graph
    cudaGraphExec_t exec = NULL;

    for (int i = 0; i < s.T; i++) {
        cudaGraphExecUpdateResultInfo info;
        cudaGraph_t graph;

        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        step(a, s, stream);
        CHECK(cudaStreamEndCapture(stream, &graph));
        if (exec)
            CHECK(cudaGraphExecUpdate(exec, graph, &info));
        else
            CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaGraphDestroy(graph));
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
//< todo
