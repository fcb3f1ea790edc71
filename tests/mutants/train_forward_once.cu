// SPDX-License-Identifier: MIT
// mutant: the forward pass runs once, for the first batch, outside the graph
// chapter: 24 train
// expect: WRONG
//> todo graph
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned blocks = (cells(s) - 1) / THREADS + 1;
    unsigned sums = ((unsigned)s.H * (s.K + 1) * LANES - 1) / THREADS + 1;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    slope<<<blocks, THREADS, 0, stream>>>(a, s);
    weight_grad<<<sums, THREADS, 0, stream>>>(a, s);
    next_batch<<<1, 1, 0, stream>>>(a.batch);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    forward<<<blocks, THREADS, 0, stream>>>(a, s);
    for (int i = 0; i < s.T; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
//< todo
