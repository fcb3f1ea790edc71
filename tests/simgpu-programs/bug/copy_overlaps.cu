// SPDX-License-Identifier: MIT
/* copy_overlaps.cu: copies within the device whose two ends overlap: a line,
 * and rows of a pitched array. ok/copies_beside.cu is their twin. */
// says: 1 finding
// says: memcpy within the device, 3 times
// says: 256 bytes from byte 0 of allocation 1, to byte 16 of allocation 1
#include "../check.h"

int main(void)
{
    enum { PITCH = 128, ROWS = 8 };
    char *x;
    CUDA(cudaMalloc(&x, PITCH * ROWS));
    CUDA(cudaMemset(x, 0, PITCH * ROWS));
    CUDA(cudaMemcpy(x + 16, x, 256, cudaMemcpyDeviceToDevice));
    CUDA(cudaMemcpyAsync(x, x + 255, 256, cudaMemcpyDefault, 0));
    CUDA(cudaMemcpy2D(x + PITCH, PITCH, x, PITCH, 16, ROWS - 1,
                      cudaMemcpyDeviceToDevice));
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(x));
    return 0;
}
