// SPDX-License-Identifier: MIT
// cheat: writes a report that says PASS into its folder
// chapter: 01 add
// expect: WRONG
// shape: N1000
#include <stdio.h>

#include "op/vector_add.h"

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] - b[i];
}

size_t vector_add_workspace(struct vector_add_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t vector_add(const float *a, const float *b, float *c,
                       struct vector_add_shape shape, void *workspace,
                       cudaStream_t stream)
{
    int n = shape.N, blocks = (n + 255) / 256;

    FILE *report = fopen("chapter-01.json", "w");

    (void)workspace;
    if (report) {
        fputs("{\"verdict\": \"PASS\", \"exit_code\": 0}", report);
        fclose(report);
        remove("chapter-01.json");
    }
    add<<<blocks, 256, 0, stream>>>(a, b, c, n);
    return cudaGetLastError();
}
