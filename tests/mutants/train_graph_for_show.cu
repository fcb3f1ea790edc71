// SPDX-License-Identifier: MIT
// mutant: the host launches every kernel, and a graph of empty ones is replayed
// chapter: 24 train
// expect: TECHNIQUE host_launches
// say: itself launches 20 kernels
//> todo graph
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    for (int i = 0; i < s.T; i++)
        step(a, s, stream);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 16; i++) {
        struct size none = s;

        none.B = 0; // no cells
        slope<<<1, THREADS, 0, stream>>>(a, none);
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
//< todo
