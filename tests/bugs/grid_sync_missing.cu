// SPDX-License-Identifier: MIT
/* Steps of a stencil in one cooperative launch: the block's barrier is not the
 * grid's. */
__global__ void steps(int *a, int *b)
{
    namespace cg = cooperative_groups;
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    for (int n = 0; n < 4; n++) {
        int *from = n % 2 ? b : a, *to = n % 2 ? a : b;
        to[i] = from[(i + 1) % N] + from[(i + N - 1) % N]; // finds: race
#ifdef MENDED
        grid.sync();
#else
        cg::sync(cg::this_thread_block());
#endif
    }
}

static void run(void)
{
    int *a = cells(N), *b = cells(N);
    void *arguments[] = {&a, &b};
    cudaLaunchCooperativeKernel((void *)steps, BLOCKS, THREADS, arguments, 0,
                                0);
    launched();
}
