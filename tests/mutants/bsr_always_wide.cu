// SPDX-License-Identifier: MIT
// mutant: vectors in rows that hold no whole ones
// chapter: 19 wide
// expect: WRONG|MEMORY
//> todo launch
    unsigned n = shape.M * shape.N / VECTOR, width = (shape.N + 3) / VECTOR;
    unsigned blocks = n / THREADS + 1;

    (void)workspace;
    fused<<<blocks, THREADS, 0, stream>>>(
        (const float4 *)x, (const float4 *)bias, (const float4 *)residual,
        (float4 *)y, n, width);
    odd<<<1, 1, 0, stream>>>(x, bias, residual, y, 0, 1);
//< todo
