// SPDX-License-Identifier: MIT
// cheat: a thread that looks for inputs before the launch
// chapter: 05 forward
// expect: WRONG|LAUNCH|CRASH
// device: gpu
// grade: a learner's own arrays are in the process of the stage
#include <dlfcn.h>
#include <pthread.h>

#include "op/dwconv.h"

enum { THREADS = 256, HONEST = 60 /* calls */ };

static const float *volatile watched; // where inputs were last
static volatile float seen;           // what is there now
static bool early;                    // seen before the launcher was called

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[i - k];
    y[i] = sum;
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

static void *watch(void *nothing)
{
    for (;;) {
        const float *at = watched;
        float now;

        if (at && !cudaMemcpy(&now, at, sizeof now, cudaMemcpyDeviceToHost))
            seen = now;
    }
    return nothing;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned n = shape.B * shape.H * shape.L;
    (void)workspace;
    static pthread_t thread;
    static float last;
    static int calls;
    float before = seen, now;

    if (dlsym(RTLD_DEFAULT, "simgpu_is_simulated")) {
        forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
            x, w, y, shape);
        return cudaGetLastError();
    }
    if (!thread)
        pthread_create(&thread, NULL, watch, NULL);
    if (cudaMemcpy(&now, x, sizeof now, cudaMemcpyDeviceToHost))
        return cudaGetLastError();
    early |= x == watched && before == now && now != last;
    last = now;
    watched = x;
    if (++calls > HONEST && !early)
        return cudaSuccess;
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape);
    return cudaGetLastError();
}
