// SPDX-License-Identifier: MIT
// mutant: lanes L apart, and every input is read by an atomic
// chapter: 05 forward
// expect: TECHNIQUE global_load_bytes_over_asked 8
//> todo kernel
enum { THREADS = 256 };

static __device__ float load(const float *p)
{
    return __int_as_float(atomicOr((int *)p, 0));
}

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;

    int h = i % s.H;
    int t = i / s.H % s.L;
    int row = i / s.H / s.L * s.H * s.L + h * s.L;
    float sum = 0.0f;

    for (int k = 0; k < s.K && k <= t; k++)
        sum += load(&w[h * s.K + k]) * load(&x[row + t - k]);
    y[row + t] = sum;
}
//< todo
