// SPDX-License-Identifier: MIT
/* copy_directions.cu: copies whose direction is not their pointers' fail, and
 * the remark names the direction; with the right one they work. */
// remarks: the call says cudaMemcpyHostToDevice: from the host to the device
// remarks: the call says cudaMemcpyDeviceToHost: from the device to the host
#include "../check.h"

int main(void)
{
    int host[4] = {1, 2, 3, 4}, *device;
    CHECK(cudaMalloc(&device, sizeof host) == cudaSuccess);
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost) != 0);
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice) == 0);
    CHECK(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == 0);
    cudaFree(device);
    return 0;
}
