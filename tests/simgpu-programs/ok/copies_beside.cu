// SPDX-License-Identifier: MIT
/* copies_beside.cu: copies within one array whose ends only touch, are
 * interleaved, or are the same. */
#include "../check.h"

int main(void)
{
    enum { PITCH = 128, ROWS = 8 };
    char *x;
    CUDA(cudaMalloc(&x, PITCH * ROWS));
    CUDA(cudaMemset(x, 0, PITCH * ROWS));
    CUDA(cudaMemcpy(x + 256, x, 256, cudaMemcpyDeviceToDevice));
    CUDA(cudaMemcpyAsync(x, x + 256, 256, cudaMemcpyDefault, 0));
    CUDA(cudaMemcpy(x, x, 256, cudaMemcpyDeviceToDevice));
    CUDA(cudaMemcpy2D(x + 64, PITCH, x, PITCH, 64, ROWS,
                      cudaMemcpyDeviceToDevice)); /* right half = left half */
    CUDA(cudaMemcpy2D(x + 4 * PITCH, PITCH, x, PITCH, PITCH, 4,
                      cudaMemcpyDeviceToDevice));
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(x));
    return 0;
}
