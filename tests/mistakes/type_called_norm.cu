// SPDX-License-Identifier: MIT
// mistake: a type called norm, which CUDA's function norm() hides
// chapter: 12 gemm
// expect: BUILD
// say: type of yours has the name of a function
//> todo kernel
struct norm {
    float sum;
};

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    norm z;

    z.sum = alpha * A[0] * B[0] + beta;
    C[0] = z.sum;
}
//< todo
