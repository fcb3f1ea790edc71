// SPDX-License-Identifier: MIT
// mistake: 64 KiB of static shared memory
// chapter: 05 forward
// expect: BUILD|LAUNCH
// say: (forward\.cu:[0-9]+: kernel forward|entry function .*forward.*) uses too much shared data
//> todo kernel
enum { THREADS = 256 };
static __global__ void forward(const float *x, const float *w, float *y, struct dwconv_shape s)
{
    __shared__ float tile[128][128];
    unsigned n = s.B * s.H * s.L, i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x][0] = x[0];
    __syncthreads();
    if (i < n) y[i] = tile[threadIdx.x][threadIdx.y];
}
//< todo
