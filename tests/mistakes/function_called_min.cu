// SPDX-License-Identifier: MIT
// mistake: a function min() of one's own, as CUDA has it already
// chapter: 12 gemm
// expect: BUILD min
// say: If that is a header, take another name
//> todo kernel
static __host__ __device__ int min(int a, int b)
{
    return a < b ? a : b;
}

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    int i = min(s.N, threadIdx.x);

    C[i] = alpha * A[i] * B[i] + beta;
}
//< todo
