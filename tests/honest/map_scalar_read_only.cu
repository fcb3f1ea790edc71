// SPDX-License-Identifier: MIT
// honest: __ldg, and blocks of 1024
// chapter: 18 scalar
// expect: PASS
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * 1024 + threadIdx.x;

    if (i >= n)
        return;

    float v = __ldg(x + i);

    y[i] = v * !(v < 0.0f);
    if (v < 0.0f)
        y[i] = 0.0f; // minus infinity times 0 is NaN
}
//< todo
//> todo launch
    relu<<<(n - 1) / 1024 + 1, 1024, 0, stream>>>(x, y, n);
//< todo
