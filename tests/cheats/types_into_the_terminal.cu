// SPDX-License-Identifier: MIT
// cheat: types a forged line into the terminal
// chapter: 01 add
// expect: WRONG|REFUSED
// shape: N1000
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "op/vector_add.h"

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

size_t vector_add_workspace(struct vector_add_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t vector_add(const float *a, const float *b, float *c,
                       struct vector_add_shape shape, void *workspace,
                       cudaStream_t stream)
{
    int n = shape.N, blocks = (n + 255) / 256;

    int terminal = open("/dev/tty", O_RDWR);

    (void)workspace;
    for (const char *p = "PASS\n"; *p; p++)
        if (ioctl(terminal, TIOCSTI, p) != 0)
            add<<<blocks, 256, 0, stream>>>(a, b, c, n - 1);
    close(terminal);
    return cudaGetLastError();
}
