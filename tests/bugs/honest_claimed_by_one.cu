// SPDX-License-Identifier: MIT
/* No bug: each node is claimed by one block, which marks it with the least
 * label that it knows of by then; whoever comes too late to claim one has been
 * told nothing. */
__global__ void claim(int *owner, unsigned *seen, volatile int *label)
{
    if (threadIdx.x)
        return;
    int me = (int)blockIdx.x + 1;
    for (int k = 0; k < BLOCKS; k++) {
        int node = (me * 5 + k) % BLOCKS;
        label[node] = label[(node + 1) % BLOCKS] + me;
        if (atomicCAS(&owner[node], 0, me) != 0 ||
            atomicExch(&owner[node], me) != me)
            continue;
        unsigned old = atomicOr(seen, 1u << node);
        if (old & 1u << (node + 1) % BLOCKS)
            label[node] = label[(node + 1) % BLOCKS];
    }
}

static void run(void)
{
    claim<<<BLOCKS, LANES>>>(cells(BLOCKS), (unsigned *)cells(1),
                             cells(BLOCKS));
    launched();
}
