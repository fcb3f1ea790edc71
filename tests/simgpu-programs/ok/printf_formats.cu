// SPDX-License-Identifier: MIT
/* printf_formats.cu: what printf of a kernel makes of flags, widths, precisions,
 * sizes and types; how much it returns; lines of several blocks in turn. */
#include "../check.h"

__constant__ char greeting[] = "from constant memory";

__global__ void formats(const char *text)
{
    int n = printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42,
                   42, 42);
    printf("returned %d\n", n);
    printf("[%i] [%u] [%x] [%X] [%#x] [%o] [%#o]\n", -1, 4000000000u, 0xbeefu,
           0xbeefu, 0xbeefu, 8u, 8u);
    printf("[%ld] [%lld] [%llu] [%lx] [%zu]\n", -5000000000l, -1ll,
           18446744073709551615ull, 0xfeedfacecafel, sizeof(double));
    printf("[%hd] [%hhu] [%c] [%3c] [%%]\n", (short)-3, (unsigned char)200,
           'x', 'y');
    printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%e] [%.3E] [%g] [%G]\n", 1.5,
           2.345f, -3.14159, 2.0, 12345.678, 0.00012, 1e-10, 1e20);
    printf("[%a] [%g] [%g] [%f]\n", 1.0, 1.0 / 0.0, -1.0 / 0.0, 0.1f);
    printf("[%s] [%10s] [%-10s] [%.3s] [%s]\n", "text", "right", "left",
           "truncated", greeting);
    printf("[%*d] [%-*d] [%.*f]\n", 6, 7, 6, 7, 3, 2.0);
    printf("%s\n", text);
    printf("no arguments\n");
    printf("%s", "");
}

__global__ void blocks(void)
{
    if (threadIdx.x == 0)
        printf("block %d of %d\n", blockIdx.x, gridDim.x);
}

int main(void)
{
    char *text;
    CUDA(cudaMallocManaged(&text, 32));
    snprintf(text, 32, "from %s memory", "managed");
    formats<<<1, 1>>>(text);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++) {
        blocks<<<1, 64>>>();
        CUDA(cudaDeviceSynchronize());
    }
    fflush(stdout);
    return 0;
}
