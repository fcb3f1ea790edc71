// SPDX-License-Identifier: MIT
// mutant: M / ROWS groups of rows, so the last rows may be left out
// chapter: 19 bias_swish_residual
// expect: WRONG|LAUNCH
//> todo launch
    unsigned n = shape.M * shape.N / VECTOR, width = shape.N / VECTOR;
    unsigned threads = shape.M / ROWS * width;

    (void)workspace;
    if (shape.N % VECTOR == 0)
        fused<<<(threads + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
            (const float4 *)x, (const float4 *)bias, (const float4 *)residual,
            (float4 *)y, n, width);
    else
        odd<<<(shape.M * shape.N - 1) / THREADS + 1, THREADS, 0, stream>>>(
            x, bias, residual, y, shape.M * shape.N, shape.N);
//< todo
