// SPDX-License-Identifier: MIT
// mistake: a global variable called y0, a function of C's
// chapter: 12 gemm
// expect: BUILD y0
// say: If you meant a thing of your own, take another name
//> todo kernel
static __device__ float y0;

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    C[0] = alpha * A[0] * B[0] + beta * y0;
}
//< todo
