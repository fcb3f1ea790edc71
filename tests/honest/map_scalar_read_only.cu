// SPDX-License-Identifier: MIT
// honest: __ldg, blocks of 1024, and no branch but for the end
// chapter: 18 scalar
// expect: PASS
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * 1024 + threadIdx.x;

    if (i >= n)
        return;

    float v = __ldg(x + i), positive = fmaxf(v, 0.0f);

    y[i] = isnan(v) ? v : positive;
}
//< todo
//> todo launch
    relu<<<(n - 1) / 1024 + 1, 1024, 0, stream>>>(x, y, n);
//< todo
