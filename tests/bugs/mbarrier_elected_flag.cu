// SPDX-License-Identifier: MIT
/* Thread 0 polls another block's flag, and tells its block by an mbarrier, for
 * which one lane waits. That lane tells its warp by a volatile word, which is
 * no fence: the others may not see what it sees. */
__global__ void elected_flag(int *message, volatile int *flag, int *got)
{
    __shared__ object full;
    __shared__ volatile int is_over;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        is_over = 0;
    }
    __syncthreads();
    if (blockIdx.x == 0) {
        message[t] = 42; // against
        __threadfence();
        __syncthreads();
        if (t == 0)
            *flag = 1;
    } else if (t < LANES) {
        if (t == 0) {
            while (!*flag)
                ;
            __threadfence();
            object_arrive(&full);
        }
    } else {
        if (t == LANES) {
            object_wait(&full, 0);
            is_over = 1;
        }
        while (!is_over)
            ;
#ifdef MENDED
        __syncwarp();
#endif
        got[t] = message[t]; // finds: race
    }
}

static void run(void)
{
    elected_flag<<<2, 2 * LANES>>>(cells(2 * LANES), cells(1),
                                   cells(2 * LANES));
    launched();
}
