// SPDX-License-Identifier: MIT
// says: cudaErrorInvalidValue: allocation 2 (256 bytes) is already
// says: in main, on a line unknown (build with -g)
/* double_free.cu: the second cudaFree is refused and reported. */
#include "../check.h"

int main(void)
{
    void *a, *b;
    CUDA(cudaMalloc(&a, 100));
    CUDA(cudaMalloc(&b, 256));
    CUDA(cudaFree(b));
    CHECK(cudaFree(b) == cudaErrorInvalidValue);
    CUDA(cudaFree(a));
    return 0;
}
