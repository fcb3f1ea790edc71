// SPDX-License-Identifier: MIT
// units: operators.cu
/* units_scan.cu: inclusive scans of rows by operators that are function
 * pointers, made in another unit and fetched by the host. */
#include "../check.h"
#include "../units/operators.h"

enum { ROWS = 24, COLUMNS = 256 };

__global__ void scan(const int *in, int *out, binary combine)
{
    __shared__ int last[COLUMNS / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int at = blockIdx.x * COLUMNS + threadIdx.x;
    int x = in[at];
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, x, d);
        if (lane >= d)
            x = combine(left, x);
    }
    if (lane == 31)
        last[warp] = x;
    __syncthreads(); /* every warp's last element is there */
    for (int w = warp - 1; w >= 0; w--)
        x = combine(last[w], x);
    out[at] = x;
}

/* One thread, by the table of the other unit itself. */
__global__ void fold(const int *in, int n, int which, int *out)
{
    int x = in[0];
    for (int i = 1; i < n; i++)
        x = operators[which](x, in[i]);
    *out = x;
}

static int on_host(int which, int a, int b)
{
    return which == SUM ? a + b : which == MOST ? (a > b ? a : b) : a ^ b;
}

int main()
{
    static int h[ROWS * COLUMNS], got[ROWS * COLUMNS];
    int *in, *out, one;
    binary table[OPERATORS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        h[i] = (int)(i * 2654435761u >> 20) - 2000;
    CUDA(cudaMalloc(&in, sizeof h));
    CUDA(cudaMalloc(&out, sizeof h));
    CUDA(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpyFromSymbol(table, operators, sizeof table));
    for (int which = 0; which < OPERATORS; which++) {
        scan<<<ROWS, COLUMNS>>>(in, out, table[which]);
        CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (int row = 0; row < ROWS; row++)
            for (int i = 0, x = 0; i < COLUMNS; i++) {
                int y = h[row * COLUMNS + i];
                x = i ? on_host(which, x, y) : y;
                CHECK(got[row * COLUMNS + i] == x);
            }
        fold<<<1, 1>>>(in, COLUMNS, which, out);
        CUDA(cudaMemcpy(&one, out, sizeof one, cudaMemcpyDeviceToHost));
        CHECK(one == got[COLUMNS - 1]);
    }
    printf("%d scans\n", ROWS * OPERATORS);
}
