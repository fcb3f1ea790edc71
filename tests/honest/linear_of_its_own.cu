// SPDX-License-Identifier: MIT
// honest: a plain product of its own, one thread per element
// chapter: 20 three
// expect: PASS
//> todo kernel
static __global__ void product(const float *X, const float *W, float *to,
                               struct linear_shape s)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    float sum = 0.0f;

    if (i >= (unsigned)(s.M * s.N))
        return;
    for (int k = 0; k < s.K; k++)
        sum += X[(size_t)(i / s.N) * s.K + k] * W[(size_t)k * s.N + i % s.N];
    to[i] = sum;
}

static __global__ void finish(const float *from, const float *bias, float *to,
                              unsigned n, unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        float z = from[i] + bias[i % width];

        to[i] = z / (1.0f + expf(-z));
    }
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;
    float *to = (float *)workspace;

    product<<<blocks, THREADS, 0, stream>>>(X, W, to, shape);
    finish<<<blocks, THREADS, 0, stream>>>(to, bias, Y, n, shape.N);
//< todo
