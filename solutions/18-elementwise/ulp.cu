// SPDX-License-Identifier: MIT
/*
 * ulp.cu: how exact the fast exponentials and what is made of them are.
 *
 * `make bench` builds and runs it. It tries every STEP-th float from -LIMIT to
 * LIMIT, compares each function with double precision, and prints lines of a
 * name and a number: the largest error found, in ulp (units in the last place
 * of the true result as a float).
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { STEP = 61, THREADS = 256 }; // a prime: no pattern of bits is missed
static const float LIMIT = 80.0f;  // results stay normal

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static __device__ float tanh_fast(float x)
{
    float y;

    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

enum { FUNCTIONS = 7 };
static const char *const names[FUNCTIONS] = {
    "expf", "__expf", "sigmoid_expf", "sigmoid_fast", "sigmoid_tanh",
    "swish_expf", "swish_fast"};

static __device__ float apply(int function, float x)
{
    switch (function) {
    case 0:
        return expf(x);
    case 1:
        return __expf(x);
    case 2:
        return 1.0f / (1.0f + expf(-x));
    case 3:
        return __fdividef(1.0f, 1.0f + __expf(-x));
    case 4:
        return fmaf(0.5f, tanh_fast(0.5f * x), 0.5f);
    case 5:
        return x / (1.0f + expf(-x));
    default:
        return __fdividef(x, 1.0f + __expf(-x));
    }
}

static double truth(int function, double x)
{
    if (function < 2)
        return exp(x);
    return (function < 5 ? 1.0 : x) / (1.0 + exp(-x));
}

static __global__ void evaluate(int function, const float *x, float *y, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = apply(function, x[i]);
}

// One unit in the last place of a float of this size.
static double ulp(double value)
{
    return ldexp(1.0, ilogb(value) - 23);
}

int main()
{
    std::vector<float> x, y;
    float *from, *to;
    unsigned last;

    memcpy(&last, &LIMIT, sizeof last);
    for (unsigned bits = 0x33800000; bits <= last; bits += STEP) { // 2^-24 on
        float value;

        memcpy(&value, &bits, sizeof value);
        x.push_back(value);
        x.push_back(-value);
    }
    y.resize(x.size());
    check(cudaMalloc(&from, x.size() * sizeof(float)));
    check(cudaMalloc(&to, x.size() * sizeof(float)));
    check(cudaMemcpy(from, x.data(), x.size() * sizeof(float),
                     cudaMemcpyHostToDevice));
    for (int f = 0; f < FUNCTIONS; f++) {
        int n = (int)x.size();
        double worst = 0.0, worst_near = 0.0; // near: |x| <= 4

        evaluate<<<(n - 1) / THREADS + 1, THREADS>>>(f, from, to, n);
        check(cudaGetLastError());
        check(cudaMemcpy(y.data(), to, y.size() * sizeof(float),
                         cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++) {
            double want = truth(f, x[i]);
            double error = fabs(y[i] - want) / ulp(want);

            if (!(error <= worst))
                worst = error;
            if (fabsf(x[i]) <= 4.0f && !(error <= worst_near))
                worst_near = error;
        }
        printf("%s_ulp %.4g\n%s_ulp_near %.4g\n", names[f], worst, names[f],
               worst_near);
    }
    printf("values %zu\n", x.size());
    return 0;
}
