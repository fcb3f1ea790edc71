// SPDX-License-Identifier: MIT
// since: 12
/* A bulk copy into the memory of a block that may not have started. The block
 * that sends it has ended by the time that it lands. */
__global__ void __cluster_dims__(2, 1, 1) send(const int *x, int *y)
{
    __shared__ alignas(16) int s[LANES];
    __shared__ object full;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1); // finds: race
        object_fence();
    }
    __syncwarp();
#ifdef MENDED
    both.sync();
#endif
    if (both.block_rank() == 1) {
        int *to = both.map_shared_rank(s, 0);
        object *o = both.map_shared_rank(&full, 0);
        if (t == 0)
            bulk_in(to, x, sizeof s, o); // finds: exited
        return;
    }
    if (t == 0)
        object_expects(&full, sizeof s);
    object_wait(&full, 0);
    y[t] = s[LANES - 1 - t];
}

static void run(void)
{
    send<<<2, LANES>>>(cells(LANES), cells(LANES));
    launched();
}
