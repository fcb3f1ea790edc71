// SPDX-License-Identifier: MIT
// mutant: the host computes all sums; the graph that is replayed does nothing
// chapter: 24 train
// expect: TECHNIQUE flops_over_useful
// say: done on the host
//> todo graph
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t all = (size_t)s.T * cells(s);
    float *n = (float *)malloc(4 * all), *dy = (float *)malloc(4 * all);
    float *w = (float *)malloc(4 * s.H * s.K), *b = (float *)malloc(4 * s.H);
    float *dw = (float *)calloc(s.H * s.K, 4), *db = (float *)calloc(s.H, 4);

    cudaMemcpy(n, a.n, 4 * all, cudaMemcpyDeviceToHost);
    cudaMemcpy(dy, a.dy, 4 * all, cudaMemcpyDeviceToHost);
    cudaMemcpy(w, a.w, 4 * s.H * s.K, cudaMemcpyDeviceToHost);
    cudaMemcpy(b, a.bias, 4 * s.H, cudaMemcpyDeviceToHost);
    for (int r = 0; r < s.T * s.B; r++)
        for (int h = 0; h < s.H; h++)
            for (int t = 0; t < s.L; t++) {
                size_t i = ((size_t)r * s.H + h) * s.L + t;
                float z = b[h];

                for (int k = 0; k < s.K && k <= t; k++)
                    z += w[h * s.K + k] * n[i - k];
                float sg = 1 / (1 + expf(-z));
                float dz = dy[i] * sg * (1 + z * (1 - sg));

                db[h] += dz;
                for (int k = 0; k < s.K && k <= t; k++)
                    dw[h * s.K + k] += dz * n[i - k];
            }
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 4; i++)
        next_batch<<<1, 1, 0, stream>>>(a.batch);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 0; i < s.T; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    cudaMemcpy(a.dw, dw, 4 * s.H * s.K, cudaMemcpyHostToDevice);
    cudaMemcpy(a.dbias, db, 4 * s.H, cudaMemcpyHostToDevice);
//< todo
