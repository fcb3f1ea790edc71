// SPDX-License-Identifier: MIT
/* spmv.cu: a sparse matrix times a vector, a warp per row; the launch asks how
 * large a block should be. Rows have from none to many elements. */
#include "../check.h"

#include <vector>

enum { ROWS = 700, COLUMNS = 900 };

__global__ void multiply(const int *first, const int *column,
                         const double *value, const double *x, double *y,
                         int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    double sum = 0;
    for (int i = first[row] + lane; i < first[row + 1]; i += 32)
        sum += value[i] * x[column[i]];
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}

template <typename T> static T *on_device(const std::vector<T> &h)
{
    T *d;
    CUDA(cudaMalloc(&d, h.size() * sizeof(T)));
    CUDA(cudaMemcpy(d, h.data(), h.size() * sizeof(T),
                    cudaMemcpyHostToDevice));
    return d;
}

int main()
{
    std::vector<int> first(1, 0), column;
    std::vector<double> value, x(COLUMNS), y(ROWS);
    for (int i = 0; i < COLUMNS; i++)
        x[i] = i % 17 - 8; /* whole numbers: sums are exact in any order */
    for (int row = 0; row < ROWS; row++) {
        int n = row % 50 == 0 ? 200 : row % 7;
        for (int i = 0; i < n; i++) {
            column.push_back((row * 31 + i * 4) % COLUMNS);
            value.push_back((row + i) % 23 - 11);
        }
        first.push_back((int)column.size());
    }
    int *d_first = on_device(first), *d_column = on_device(column);
    double *d_value = on_device(value), *d_x = on_device(x);
    double *d_y = on_device(y);
    int least, threads;
    CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &threads, multiply, 0,
                                            512));
    CHECK(threads >= 32 && threads <= 512 && least > 0);
    threads -= threads % 32;
    int blocks = (ROWS * 32 + threads - 1) / threads;
    multiply<<<blocks, threads>>>(d_first, d_column, d_value, d_x, d_y, ROWS);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(y.data(), d_y, ROWS * sizeof(double),
                    cudaMemcpyDeviceToHost));
    for (int row = 0; row < ROWS; row++) {
        double sum = 0;
        for (int i = first[row]; i < first[row + 1]; i++)
            sum += value[i] * x[column[i]];
        CHECK(y[row] == sum);
    }
    printf("%d rows, %zu elements\n", ROWS, value.size());
    return 0;
}
