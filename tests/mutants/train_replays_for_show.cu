// SPDX-License-Identifier: MIT
// mutant: all batches are in one graph; another one, which is empty, is replayed
// chapter: 24 train
// expect: TECHNIQUE graph_launches
// say: more than all steps have
//> todo graph
    struct size none = s;
    cudaGraph_t graph[2];
    cudaGraphExec_t exec[2];

    none.B = 0; // no cells
    for (int g = 0; g < 2; g++) {
        CHECK(cudaStreamBeginCapture(stream,
                                     cudaStreamCaptureModeThreadLocal));
        for (int i = 0; g == 0 && i < s.T; i++)
            step(a, s, stream);
        for (int i = 0; g == 1 && i < 8; i++)
            slope<<<1, THREADS, 0, stream>>>(a, none);
        CHECK(cudaStreamEndCapture(stream, &graph[g]));
        CHECK(cudaGraphInstantiateWithFlags(&exec[g], graph[g], 0));
        CHECK(cudaGraphLaunch(exec[g], stream));
    }
    CHECK(cudaGraphLaunch(exec[1], stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int g = 0; g < 2; g++) {
        CHECK(cudaGraphExecDestroy(exec[g]));
        CHECK(cudaGraphDestroy(graph[g]));
    }
//< todo
