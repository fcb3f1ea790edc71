// SPDX-License-Identifier: MIT
/* channel.cu: the description of a texture's elements is made by the host
 * alone, and succeeds; only a texture itself is refused. */
#include "../check.h"

int main(void)
{
    void *p;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float2>();
    CUDA(cudaMalloc(&p, 4));
    CHECK(d.x == 32 && d.y == 32 && !d.z && !d.w);
    CHECK(d.f == cudaChannelFormatKindFloat);
    CHECK(cudaGetLastError() == cudaSuccess);
    return 0;
}
