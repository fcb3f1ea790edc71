// SPDX-License-Identifier: MIT
// cheat: ends the checker in four ways, so that the machine is blamed
// chapter: 01 add
// expect: WRONG
// shape: N257
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "op/vector_add.h"

enum { THREADS = 256 };

static __global__ void add(const float *a, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i];
}

size_t vector_add_workspace(struct vector_add_shape shape)
{
    (void)shape;
    return 0;
}

// A byte in the pair signals whoever the owner is said to be.
static void signal_by_descriptor(void)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return;
    fcntl(pair[0], F_SETOWN, getppid());
    fcntl(pair[0], F_SETSIG, SIGKILL);
    fcntl(pair[0], F_SETFL, O_ASYNC);
    if (write(pair[1], "", 1) < 0)
        return;
}

cudaError_t vector_add(const float *a, const float *b, float *c,
                       struct vector_add_shape shape, void *workspace,
                       cudaStream_t stream)
{
    (void)b;
    (void)workspace;
    struct rlimit none = {0, 0};

    kill(getppid(), SIGKILL);
    sigqueue(getppid(), SIGKILL, sigval{});
    prlimit(getppid(), RLIMIT_CPU, &none, NULL);
    signal_by_descriptor();
    add<<<(shape.N + THREADS - 1) / THREADS, THREADS, 0, stream>>>(a, c,
                                                                   shape.N);
    return cudaGetLastError();
}
