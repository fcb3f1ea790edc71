// SPDX-License-Identifier: MIT
// honest: page-locked memory, a stream, asynchronous copies
// chapter: 01 program
// expect: PASS
//> todo copy-in
    cudaStream_t stream;
    float *locked; // a, b and c, one after another

    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&locked, 3 * bytes));
    for (int i = 0; i < n; i++) {
        locked[i] = a[i];
        locked[(size_t)n + i] = b[i];
    }
    CHECK(cudaMemcpyAsync(gpu_a, locked, bytes, cudaMemcpyHostToDevice,
                          stream));
    CHECK(cudaMemcpyAsync(gpu_b, locked + n, bytes, cudaMemcpyHostToDevice,
                          stream));
//< todo
//> todo launch
    add<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(gpu_a, gpu_b,
                                                             gpu_c, n);
    CHECK(cudaGetLastError());
//< todo
//> todo copy-back
    float *result = locked + 2 * (size_t)n;

    CHECK(cudaMemcpyAsync(result, gpu_c, bytes, cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++)
        c[i] = result[i];
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(locked));
//< todo
