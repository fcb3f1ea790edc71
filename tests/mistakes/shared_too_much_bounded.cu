// SPDX-License-Identifier: MIT
// mistake: 128 KB of declared shared memory, and a bound before the kernel's name
// chapter: 12 gemm
// expect: BUILD uses too much shared data
// say: gemm.cu:[0-9]+: kernel gemm
// say: next +Make the array in __shared__ memory smaller
//> todo kernel
enum { TILE = 32 };

static __global__ void __launch_bounds__(1024) gemm(const float *A,
                                                    const float *B, float *C,
                                                    struct gemm_shape s,
                                                    float alpha, float beta)
{
    __shared__ float kept[128][256];

    kept[threadIdx.x][threadIdx.y] = A[threadIdx.x];
    __syncthreads();
    C[threadIdx.x] = alpha * kept[threadIdx.y][threadIdx.x] * B[0] + beta;
}
//< todo
