// SPDX-License-Identifier: MIT
// since: 12
/* Boxes come in by twos, are changed on chip and leave again; the last ones lie
 * partly beyond the tensor. */
enum { TALL = 8, WIDE = 16, ROWS = 44, COLUMNS = 40 };

__global__ void pipeline(const __grid_constant__ CUtensorMap from,
                         const __grid_constant__ CUtensorMap to)
{
    __shared__ alignas(128) int tile[2][TALL * WIDE];
    __shared__ object full[2];
    int t = threadIdx.x, across = (COLUMNS + WIDE - 1) / WIDE;
    int boxes = across * ((ROWS + TALL - 1) / TALL);
    if (t == 0) {
        object_init(&full[0], 1);
        object_init(&full[1], 1);
        object_fence();
        object_expects(&full[0], sizeof tile[0]);
        box_in(tile[0], &from, 0, 0, &full[0]);
    }
    __syncthreads();
    for (int n = 0; n < boxes; n++) {
        int next = n + 1;
        if (t == 0 && next < boxes) {
            bulk_read_wait();
            object_expects(&full[next % 2], sizeof tile[0]);
            box_in(tile[next % 2], &from, next % across * WIDE,
                   next / across * TALL, &full[next % 2]);
        }
        object_wait(&full[n % 2], n / 2 % 2);
        tile[n % 2][t] = 2 * tile[n % 2][t] + 1;
        proxy_fence();
        __syncthreads();
        if (t == 0) {
            box_out(&to, tile[n % 2], n % across * WIDE, n / across * TALL);
            bulk_commit();
        }
    }
    if (t == 0)
        bulk_wait();
}

static void run(void)
{
    static int y[ROWS * COLUMNS];
    int *x = pinned(ROWS * COLUMNS), *from = cells(ROWS * COLUMNS);
    int *to = cells(ROWS * COLUMNS);
    CUDA(cudaMemcpy(from, x, sizeof y, cudaMemcpyHostToDevice));
    pipeline<<<1, TALL * WIDE>>>(tensor_map(from, COLUMNS, ROWS, WIDE, TALL),
                                 tensor_map(to, COLUMNS, ROWS, WIDE, TALL));
    CUDA(cudaMemcpy(y, to, sizeof y, cudaMemcpyDeviceToHost));
    for (int k = 0; k < ROWS * COLUMNS; k++)
        if (y[k] != 2 * k + 1)
            exit(1);
}
