// SPDX-License-Identifier: MIT
// mistake: calls a function of the device that is declared and never defined
// chapter: 04 forward
// expect: BUILD
// say: one_tap
//> todo kernel
enum { THREADS = 256 };

static __device__ float one_tap(float w, float x);

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    y[0] = one_tap(w[0], x[0]);
}
//< todo
