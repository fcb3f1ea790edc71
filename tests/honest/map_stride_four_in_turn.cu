// SPDX-License-Identifier: MIT
// honest: four elements in a round, each stored as soon as it is there
// chapter: 18 stride
// expect: PASS
//> todo kernel
static __global__ void relu(const float *__restrict__ x, float *__restrict__ y, unsigned n)
{
    unsigned s = gridDim.x * THREADS, i = blockIdx.x * THREADS + threadIdx.x;
    for (; i + 3 * s < n; i += 4 * s) {
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
        y[i + s] = x[i + s] < 0.0f ? 0.0f : x[i + s];
        y[i + 2 * s] = x[i + 2 * s] < 0.0f ? 0.0f : x[i + 2 * s];
        y[i + 3 * s] = x[i + 3 * s] < 0.0f ? 0.0f : x[i + 3 * s];
    }
    for (; i < n; i += s)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
//< todo
//> todo launch
    unsigned needed = (n - 1) / (4 * THREADS) + 1;
    unsigned blocks = needed < 132 * 8 ? needed : 132 * 8;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
//< todo
