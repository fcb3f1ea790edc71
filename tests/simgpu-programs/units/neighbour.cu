// SPDX-License-Identifier: MIT
/* neighbour.cu: of bug/units_race.cu: every thread takes its right neighbour's
 * number, which that one may have replaced already. */
__device__ void take_right(int *tile, int n)
{
    unsigned i = threadIdx.x;
    int right = 0;
    if (i + 1 < n)
        right = tile[i + 1];
    tile[i] = right;
}
