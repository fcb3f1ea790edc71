// SPDX-License-Identifier: MIT
// cheat: a thread launches after the launcher returned
// chapter: 05 forward
// expect: WRONG|MEMORY|LAUNCH
// say: unwritten|illegal|freed
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "op/dwconv.h"

enum { THREADS = 256 };

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

struct job {
    const float *x, *w;
    float *y;
    struct dwconv_shape shape;
    cudaStream_t stream;
};

static void *later(void *argument)
{
    struct job *job = (struct job *)argument;
    unsigned n = job->shape.B * job->shape.H * job->shape.L;

    usleep(300000);
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, job->stream>>>(
        job->x, job->w, job->y, job->shape);
    free(job);
    return NULL;
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    struct job *job = (struct job *)malloc(sizeof *job);
    pthread_t thread;

    (void)workspace;
    *job = (struct job){x, w, y, shape, stream};
    pthread_create(&thread, NULL, later, job);
    pthread_detach(thread);
    return cudaSuccess;
}
