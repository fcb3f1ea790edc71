// SPDX-License-Identifier: MIT
/* printf_of_host_text.cu: a kernel prints a string of the host's. */
// says: that is memory of the host
#include "../check.h"

__global__ void greet(const char *name)
{
    printf("hello, %s\n", name); // finds: out_of_bounds
}

int main(void)
{
    const char *name = "world";
    greet<<<2, 64>>>(name);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return 0;
}
