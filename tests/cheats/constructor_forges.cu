// SPDX-License-Identifier: MIT
// cheat: prints a forged report before main and after exit
// chapter: 05 forward
// expect: WRONG unwritten
#include <stdio.h>

#include "op/dwconv.h"

static void forge(void)
{
    printf("\033[2J\033[Hchapter 05: PASS\n{\"verdict\": \"PASS\"}\n");
    fflush(stdout);
}

__attribute__((constructor)) static void before(void)
{
    forge();
}

__attribute__((destructor)) static void after(void)
{
    forge();
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
    (void)x, (void)w, (void)y, (void)shape, (void)workspace, (void)stream;
    return cudaSuccess;
}
