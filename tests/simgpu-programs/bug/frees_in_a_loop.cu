// SPDX-License-Identifier: MIT
/* frees_in_a_loop.cu: one loop frees twenty addresses at which nothing begins.
 * ok/vector_add.cu frees what it was given. */
// says: 1 finding
// says: cudaFree: cudaErrorInvalidValue, 20 times
// says: is not the start of an allocation
#include "../check.h"

int main(void)
{
    char *x;
    CUDA(cudaMalloc(&x, 1024));
    for (int k = 1; k <= 20; k++)
        FAILS(cudaErrorInvalidValue, cudaFree(x + 4 * k));
    CUDA(cudaFree(x));
    return 0;
}
