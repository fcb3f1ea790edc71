// SPDX-License-Identifier: MIT
// honest: blocks of one warp, four elements per thread, a warp apart
// chapter: 18 scalar
// expect: PASS
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    for (unsigned j = 0; j < 4; j++) {
        unsigned i = blockIdx.x * 128 + j * 32 + threadIdx.x;

        if (i < n)
            y[i] = x[i] > 0.0f || isnan(x[i]) ? x[i] : 0.0f;
    }
}
//< todo
//> todo launch
    relu<<<(n - 1) / 128 + 1, 32, 0, stream>>>(x, y, n);
//< todo
