// SPDX-License-Identifier: MIT
// mistake: the sigmoid is stored, and not its product with y
// chapter: 19 passes
// expect: WRONG formula
// say: as if the sigmoid itself were the result
//> todo kernel
// y = x + bias
static __global__ void add_bias(const float *x, const float *bias, float *y,
                                unsigned n, unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        y[i] = x[i] + bias[i % width];
}

// s = sigmoid(y)
static __global__ void sigmoid(const float *y, float *s, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        s[i] = __fdividef(1.0f, 1.0f + __expf(-y[i]));
}

// y = y s
static __global__ void multiply(float *y, const float *s, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = s[i];
}

// y = y + residual
static __global__ void add(float *y, const float *residual, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = y[i] + residual[i];
}
//< todo
