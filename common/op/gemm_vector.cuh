// SPDX-License-Identifier: MIT
/*
 * gemm_vector.cuh: products whose C has few cells, such as a vector times a
 * matrix: nothing is shared between blocks, one pass, one launch. For chapter
 * 23's candidates, in fp32 and bf16.
 *
 *   vector_gemm     the kernel: a block has COLS cells of a row of C, and all
 *                   of k
 *   vector_launch   launches it
 *
 * The hard idea: such a product takes little longer than an empty kernel, so
 * what counts is how many ways to memory and through barriers lie behind each
 * other. All loads of a thread are under way at once, as far as there are
 * registers, and sums meet once on chip. A block per few columns reads less
 * than a sector of each row of B; its neighbour finds the rest in L2.
 */
#ifndef WB_GEMM_VECTOR_CUH
#define WB_GEMM_VECTOR_CUH

#include "gemm.h"

enum {
    VECTOR_LANES = 32,
    VECTOR_FLIGHT = 16 // values of k that a thread loads at once
};

// The sums of a block's threads for each of COLS cells, thread % COLS; those of
// a warp meet by shuffles, those of warps on chip. Thread `cell`, below COLS,
// gets the whole one.
template <int COLS, int THREADS>
static __device__ float vector_meet(float sum, float (*of_warp)[COLS])
{
    const unsigned all = ~0u;
    const int kept = COLS < VECTOR_LANES ? COLS : (int)VECTOR_LANES;
    const int warps = THREADS / VECTOR_LANES;
    int lane = threadIdx.x % VECTOR_LANES, warp = threadIdx.x / VECTOR_LANES;
    float total = 0.0f;

#pragma unroll
    for (int far = kept; far < VECTOR_LANES; far *= 2)
        sum += __shfl_xor_sync(all, sum, far);
    if (lane < kept)
        of_warp[warp][lane] = sum;
    __syncthreads(); // each warp has left its sums
    if (threadIdx.x < COLS)
#pragma unroll
        for (int w = 0; w < warps; w++)
            total += of_warp[w][threadIdx.x];
    return total;
}

template <class T, int COLS, int THREADS>
static __global__ void __launch_bounds__(THREADS)
    vector_gemm(const T *__restrict__ A, const T *__restrict__ B, T *C,
                struct gemm_shape s, float alpha, float beta)
{
    static_assert(COLS <= VECTOR_LANES, "a warp has all cells of its block");
    const int groups = THREADS / COLS;
    __shared__ float of_warp[THREADS / VECTOR_LANES][COLS];
    int across = (s.N - 1) / COLS + 1, row = blockIdx.x / across;
    int col = blockIdx.x % across * COLS + threadIdx.x % COLS;
    int group = threadIdx.x / COLS;
    const T *a_row = A + (size_t)row * s.lda, *b_col = B + col;
    float sum = 0.0f;

    for (int first = group; first < s.K; first += groups * VECTOR_FLIGHT) {
        float a[VECTOR_FLIGHT], b[VECTOR_FLIGHT];

#pragma unroll
        for (int i = 0; i < VECTOR_FLIGHT; i++) {
            int k = first + i * groups;
            bool there = k < s.K && col < s.N;

            a[i] = there ? (float)a_row[k] : 0.0f;
            b[i] = there ? (float)b_col[(size_t)k * s.ldb] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < VECTOR_FLIGHT; i++)
            sum += a[i] * b[i];
    }
    sum = vector_meet<COLS, THREADS>(sum, of_warp);
    if (threadIdx.x < COLS && col < s.N) {
        T *c = C + (size_t)row * s.ldc + col;

        *c = (T)(beta == 0.0f ? alpha * sum : alpha * sum + beta * (float)*c);
    }
}

template <class T, int COLS, int THREADS>
static cudaError_t vector_launch(const T *A, const T *B, T *C,
                                 struct gemm_shape s, float alpha, float beta,
                                 cudaStream_t stream)
{
    unsigned blocks = (unsigned)s.M * ((s.N - 1) / COLS + 1);

    vector_gemm<T, COLS, THREADS>
        <<<blocks, THREADS, 0, stream>>>(A, B, C, s, alpha, beta);
    return cudaGetLastError();
}

#endif
