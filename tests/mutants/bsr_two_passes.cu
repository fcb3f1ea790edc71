// SPDX-License-Identifier: MIT
// mutant: two kernels: y goes to memory and back
// chapter: 19 fused
// expect: TECHNIQUE
// say: global_bytes_over_compulsory
//> todo kernel
static __global__ void swish(const float *x, const float *bias, float *y,
                             unsigned n, unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        float z = x[i] + bias[i % width];

        y[i] = __fdividef(z, 1.0f + __expf(-z));
    }
}

static __global__ void add(const float *residual, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] += residual[i];
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;

    (void)workspace;
    swish<<<blocks, THREADS, 0, stream>>>(x, bias, y, n, shape.N);
    add<<<blocks, THREADS, 0, stream>>>(residual, y, n);
//< todo
