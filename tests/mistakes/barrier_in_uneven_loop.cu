// SPDX-License-Identifier: MIT
// mistake: a barrier in a loop that warps leave at different rounds
// chapter: 12 gemm
// expect: RACE
// say: The loop at line [0-9]+ begins or ends at an index of the thread.s own
//> todo kernel
enum { TILE = 32 }; // a block computes TILE x TILE elements of C

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(float *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// A block walks along k in steps of TILE: it brings a tile of A and a tile of
// B on chip, and each of its threads uses a row of one and a column of the
// other. Beyond the matrices the tiles hold zeros, which add nothing.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];

    int across = (s.N - 1) / TILE + 1; // blocks along a row of C
    int row = blockIdx.x / across * TILE + threadIdx.y; // may pass M
    int col = blockIdx.x % across * TILE + threadIdx.x; // may pass N
    float sum = 0.0f;

    for (int first = 0; first < s.K; first += TILE) {
        int a_k = first + threadIdx.x, b_k = first + threadIdx.y;

        a_tile[threadIdx.y][threadIdx.x] =
            row < s.M && a_k < s.K ? A[(size_t)row * s.lda + a_k] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] =
            b_k < s.K && col < s.N ? B[(size_t)b_k * s.ldb + col] : 0.0f;
        __syncthreads(); // the tiles are full: they may be read
        for (int k = threadIdx.y; k < TILE + threadIdx.y / 16; k++) {
            sum += a_tile[threadIdx.y][k % TILE] * b_tile[k % TILE][threadIdx.x];
            __syncthreads();
        }
    }
    if (row >= s.M || col >= s.N)
        return;
    finish(C + (size_t)row * s.ldc + col, sum, alpha, beta);
}
//< todo
