// SPDX-License-Identifier: MIT
// mistake: the kernel takes the shape by reference
// chapter: 05 forward
// expect: MEMORY
// say: Pass it by value: take the & out
//> todo kernel
enum { THREADS = 256 };
static __global__ void forward(const float *x, const float *w, float *y, struct dwconv_shape &s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < s.L) y[i] = x[i] * w[0];
}
//< todo
