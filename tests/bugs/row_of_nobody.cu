// SPDX-License-Identifier: MIT
/* A block has 32 rows, and the last one fewer. nvcc takes the loads of all
 * rows' means out of the loop over columns; only those of rows that are there
 * count. */
enum { ROWS = 32, COLUMNS = 4 * THREADS };

__global__ void centre(const int *x, int *y, int rows, int limit)
{
    __shared__ int mean[ROWS];
    int row0 = blockIdx.x * ROWS;
    if (threadIdx.x < ROWS && row0 + (int)threadIdx.x < rows)
        mean[threadIdx.x] = x[(row0 + threadIdx.x) * COLUMNS];
    __syncthreads();
    for (int c = threadIdx.x; c < COLUMNS; c += THREADS) {
        int w = x[c];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (row0 + i < limit) {
                int at = (row0 + i) * COLUMNS + c;
                y[at] = (x[at] - mean[i]) * w; // finds: uninitialised
            }
    }
}

static void run(void)
{
    int rows = ROWS + 3;
#ifdef MENDED
    int limit = rows;
#else
    int limit = rows + 1;
#endif
    centre<<<2, THREADS>>>(cells((rows + 1) * COLUMNS),
                           cells((rows + 1) * COLUMNS), rows, limit);
    launched();
}
