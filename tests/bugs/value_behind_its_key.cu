// SPDX-License-Identifier: MIT
/* A hash table: the key comes by an atomic, its value by a store. Who finds the
 * key reads a value that may not be there. */
enum { SLOTS = 64, EMPTY = 0 };

__global__ void insert(int *key, int *value, int *copies)
{
    int mine = 1 + (int)blockIdx.x / 2, at = mine % SLOTS;
    if (threadIdx.x)
        return;
    if (atomicCAS(&key[at], EMPTY, mine) == EMPTY) {
#ifdef MENDED
        atomicExch(&value[at], 10 * mine);
    } else {
        copies[blockIdx.x] = atomicAdd(&value[at], 0);
#else
        value[at] = 10 * mine; // against
    } else {
        copies[blockIdx.x] = value[at]; // finds: race
#endif
    }
}

static void run(void)
{
    insert<<<BLOCKS, LANES>>>(cells(SLOTS), cells(SLOTS), cells(BLOCKS));
    launched();
}
