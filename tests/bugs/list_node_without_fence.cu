// SPDX-License-Identifier: MIT
/* Threads push nodes to a list and then walk it: a node is there before what is
 * in it, without a fence before the exchange of the head. */
struct node {
    int value, next;
};

__global__ void push(node *all, int *head, int *sum)
{
    int mine = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    all[mine].value = mine; // against
    int old = *(volatile int *)head, seen;
    do {
        seen = old;
        *(volatile int *)&all[mine].next = seen;
#ifdef MENDED
        __threadfence();
#endif
        old = atomicCAS(head, seen, mine);
    } while (old != seen);
    __threadfence();
    int at = seen;
    if (at)
        sum[mine] = all[at].value; // finds: race
}

static void run(void)
{
    push<<<BLOCKS, 1>>>((node *)cells(2 * BLOCKS), cells(1), cells(BLOCKS));
    launched();
}
