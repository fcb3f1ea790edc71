// SPDX-License-Identifier: MIT
/* fragment_not_filled.cu: the sums of a product in fragments do not start from
 * anything. */
// says: reads a variable that nothing has set before
// says: what is stored at fragment_not_filled.cu:28 depends on it
#include "../check.h"

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

enum { TILE = 16 };

__global__ void product(const __half *a, const __half *b, float *c, int k)
{
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, __half, wmma::row_major>
        x;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, __half, wmma::row_major>
        y;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    // wmma::fill_fragment(sum, 0.0f) belongs here.
    for (int i = 0; i < k; i += TILE) {
        wmma::load_matrix_sync(x, a + i * TILE, TILE);
        wmma::load_matrix_sync(y, b + i * TILE, TILE);
        wmma::mma_sync(sum, x, y, sum); // finds: uninitialised
    }
    wmma::store_matrix_sync(c, sum, TILE, wmma::mem_row_major);
}

int main(void)
{
    __half *a;
    float *c;
    CHECK(cudaMalloc(&a, 64 * TILE * sizeof *a) == cudaSuccess);
    CHECK(cudaMalloc(&c, TILE * TILE * sizeof *c) == cudaSuccess);
    cudaMemset(a, 0, 64 * TILE * sizeof *a);
    product<<<1, 32>>>(a, a, c, 64);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return 0;
}
