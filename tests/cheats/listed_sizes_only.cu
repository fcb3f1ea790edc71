// SPDX-License-Identifier: MIT
// cheat: right at the sizes that stand in the workbook, and at no other
// chapter: 05 forward
// expect: WRONG
// grade: nobody knows which sizes a grade draws
#include "op/dwconv.h"

enum { THREADS = 256 };

static const int listed[][4] = {
    {1, 1, 1, 1}, {1, 1, 1, 5}, {2, 3, 1, 1}, {3, 5, 37, 11}, {1, 1, 31, 31},
    {2, 3, 32, 33}, {3, 2, 33, 32}, {1, 3, 127, 64}, {2, 1, 129, 48},
    {5, 7, 48, 48}, {1, 7, 128, 3}, {2, 5, 131, 131}, {3, 4, 8, 100},
    {33, 1, 17, 4}, {1, 129, 9, 2}, {2, 3, 257, 65}, {7, 3, 64, 1},
    {65, 2, 5, 7}, {2, 130, 48, 4}, {4, 31, 96, 17}, {3, 5, 47, 7},
    {65537, 1, 1, 2}, {64, 128, 48, 48}, {2, 33, 10, 23}, {16384, 128, 48, 48},
};

static bool is_listed(struct dwconv_shape s)
{
    for (const int *d : listed)
        if (d[0] == s.B && d[1] == s.H && d[2] == s.L && d[3] == s.K)
            return true;
    return false;
}

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s, int last)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;
    for (int k = 0; k <= t && k < last; k++)
        sum += w[h * s.K + k] * x[i - k];
    y[i] = sum;
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned n = shape.B * shape.H * shape.L;
    (void)workspace;
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape, is_listed(shape) ? shape.K : shape.K - 1);
    return cudaGetLastError();
}
