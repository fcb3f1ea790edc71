// SPDX-License-Identifier: MIT
/* handles_faults.cu: a program with a handler of SIGSEGV gets its faults, of
 * memory that is not the device's, also if it came before the first CUDA
 * call. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

#include "../check.h"

static sigjmp_buf back;

static void handle(int signal)
{
    siglongjmp(back, signal);
}

static int faults(void)
{
    return sigsetjmp(back, 1) ? 1 : *(volatile int *)(uintptr_t)16;
}

int main(void)
{
    int *x;
    signal(SIGSEGV, handle);
    CHECK(faults());
    CUDA(cudaMalloc(&x, sizeof *x));
    CHECK(faults());
    signal(SIGSEGV, handle);
    CUDA(cudaMemset(x, 0, sizeof *x));
    CHECK(faults());
    CUDA(cudaFree(x));
    return 0;
}
