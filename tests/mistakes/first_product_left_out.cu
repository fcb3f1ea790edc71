// SPDX-License-Identifier: MIT
// mistake: the loop over k begins at 1
// chapter: 11 gemm
// expect: WRONG formula
// say: the first product of each sum were left out
//> todo kernel
enum { TILE = 32 }; // a block computes TILE x TILE elements of C

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(float *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// The lanes of a warp take neighbouring columns: they load one element of A,
// all the same, and 32 neighbours of B, and store 32 neighbours of C.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    int across = (s.N - 1) / TILE + 1; // blocks along a row of C
    int row = blockIdx.x / across * TILE + threadIdx.y; // may pass M
    int col = blockIdx.x % across * TILE + threadIdx.x; // may pass N
    float sum = 0.0f;

    if (row >= s.M || col >= s.N)
        return;
    for (int k = 1; k < s.K; k++)
        sum += A[(size_t)row * s.lda + k] * B[(size_t)k * s.ldb + col];
    finish(C + (size_t)row * s.ldc + col, sum, alpha, beta);
}
//< todo
