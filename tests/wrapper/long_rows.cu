// SPDX-License-Identifier: MIT
/* Chapter 21 on a card whose blocks have little shared memory: rows that others
 * hold there are read twice, and the sums over rows are right. */
#include <stdio.h>

#include "21-row-norm/layer_norm_backward.cu"

enum { ROWS = 2, COLS = 8192 };

// dbeta: the sum of dy over rows.
static int gradient(void)
{
    struct layer_norm_shape shape = {ROWS, COLS};
    size_t n = (size_t)ROWS * COLS, bytes = n * sizeof(float);
    float *x, *dy, *dx, *gamma, *dgamma, *dbeta;
    void *workspace;
    cudaError_t error;

    cudaMallocManaged(&x, bytes);
    cudaMallocManaged(&dy, bytes);
    cudaMallocManaged(&dx, bytes);
    cudaMallocManaged(&gamma, COLS * sizeof(float));
    cudaMallocManaged(&dgamma, COLS * sizeof(float));
    cudaMallocManaged(&dbeta, COLS * sizeof(float));
    cudaMalloc(&workspace, layer_norm_backward_f32_workspace(shape));
    for (size_t i = 0; i < n; i++) {
        x[i] = (float)(i % 7);
        dy[i] = (float)(i % 5);
        gamma[i % COLS] = 1.0f;
    }
    error = layer_norm_backward_f32(x, dy, gamma, dx, dgamma, dbeta, shape,
                                    1e-5f, workspace, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "the gradient: %s\n", cudaGetErrorName(error));
        return 1;
    }
    for (int c = 0; c < COLS; c++)
        if (dbeta[c] != dy[c] + dy[COLS + c]) {
            fprintf(stderr, "dbeta of column %d is wrong\n", c);
            return 1;
        }
    return 0;
}

int main(void)
{
    return gradient();
}
