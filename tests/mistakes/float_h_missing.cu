// SPDX-License-Identifier: MIT
// mistake: FLT_MAX without its header
// chapter: 05 forward
// expect: BUILD
// say: #include <float\.h>
//> todo kernel
enum { THREADS = 256 };
static __global__ void forward(const float *x, const float *w, float *y, struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -FLT_MAX;
    if (i < s.L) y[i] = m;
}
//< todo
