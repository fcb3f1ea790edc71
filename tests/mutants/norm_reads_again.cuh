// SPDX-License-Identifier: MIT
// Layer norm of rows of 4096 columns: a block has eight of them, and keeps
// gamma and beta; x is loaded TIMES times, twice or thrice.
#include <cuda_bf16.h>

enum { THREADS = 256, HELD = 16, COLUMNS = THREADS * HELD, ROWS = 8 };

template <typename T> struct sixteen_bytes {
    enum { WIDTH = 16 / sizeof(T) };
    uint4 bits;

    __device__ T &operator[](int e) { return ((T *)&bits)[e]; }
};

static __device__ float over_block(float x, float *shared)
{
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = x;
    __syncthreads(); // each warp's sum is there
    x = 0.0f;
    for (int warp = 0; warp < THREADS / 32; warp++)
        x += shared[warp];
    __syncthreads(); // all have read
    return x;
}

template <typename T> static __device__ void load(const T *row, float *v)
{
    enum { WIDTH = sixteen_bytes<T>::WIDTH };

    for (int i = 0; i < HELD; i += WIDTH) {
        sixteen_bytes<T> some =
            ((const sixteen_bytes<T> *)row)[i / WIDTH * THREADS + threadIdx.x];

        for (int e = 0; e < WIDTH; e++)
            v[i + e] = (float)some[e];
    }
}

// What a thread has of gamma, or of beta: in columns as x.
template <typename T> static __device__ void keep(const float *from, float *v)
{
    enum { WIDTH = sixteen_bytes<T>::WIDTH };

    for (int i = 0; i < HELD; i += 4) {
        int col = (i / WIDTH * THREADS + threadIdx.x) * WIDTH + i % WIDTH;
        float4 four = *(const float4 *)(from + col);

        v[i] = four.x;
        v[i + 1] = four.y;
        v[i + 2] = four.z;
        v[i + 3] = four.w;
    }
}

template <typename T, int TIMES>
static __global__ void reads_again(const T *x, const float *gamma,
                                   const float *beta, T *y, float eps)
{
    enum { WIDTH = sixteen_bytes<T>::WIDTH };
    __shared__ float shared[THREADS / 32];
    float g[HELD], b[HELD], v[HELD];

    keep<T>(gamma, g);
    keep<T>(beta, b);
    for (int r = 0; r < ROWS; r++) {
        size_t row = ((size_t)blockIdx.x * ROWS + r) * COLUMNS;
        float mean = 0.0f, squares = 0.0f;

        load(x + row, v);
        for (int i = 0; i < HELD; i++)
            mean += v[i];
        mean = over_block(mean, shared) / COLUMNS;
        if (TIMES > 2)
            load(x + row, v);
        for (int i = 0; i < HELD; i++)
            squares += (v[i] - mean) * (v[i] - mean);

        float scale = rsqrtf(over_block(squares, shared) / COLUMNS + eps);

        load(x + row, v);
        for (int i = 0; i < HELD; i += WIDTH) {
            sixteen_bytes<T> some;

            for (int e = 0; e < WIDTH; e++)
                some[e] = (T)((v[i + e] - mean) * scale * g[i + e] + b[i + e]);
            ((sixteen_bytes<T> *)(y + row))[i / WIDTH * THREADS + threadIdx.x] =
                some;
        }
    }
}
