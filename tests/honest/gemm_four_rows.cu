// SPDX-License-Identifier: MIT
// honest: a few blocks walk over C, four rows per thread
// chapter: 11 gemm
// expect: PASS
//> todo kernel
enum { TILE = 32, ROWS = 4 }; // rows per thread

// Lanes take neighbouring columns; a thread goes down ROWS rows.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    for (size_t cell = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
         cell < (size_t)((s.M - 1) / ROWS + 1) * s.N;
         cell += (size_t)gridDim.x * blockDim.x) {
        int row0 = cell / s.N * ROWS, col = cell % s.N;
        float sum[ROWS] = {0.0f};

        for (int k = 0; k < s.K; k++) {
            float b = B[(size_t)k * s.ldb + col];

            for (int i = 0; i < ROWS; i++)
                if (row0 + i < s.M)
                    sum[i] += A[(size_t)(row0 + i) * s.lda + k] * b;
        }
        for (int i = 0; i < ROWS; i++)
            if (row0 + i < s.M) {
                float *c = C + (size_t)(row0 + i) * s.ldc + col;

                *c = alpha * sum[i] + (beta != 0.0f ? beta * *c : 0.0f);
            }
    }
}
//< todo
//> todo launch
    (void)workspace;
    gemm<<<16, 256, 0, stream>>>(A, B, C, shape, alpha, beta);
//< todo
