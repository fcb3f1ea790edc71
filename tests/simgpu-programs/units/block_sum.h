// SPDX-License-Identifier: MIT
/* block_sum.h: what ok/units_grid_sum.cu and block_sum.cu share. */
enum { SUM_SHARED_BYTES = 32 * sizeof(long long) }; /* dynamic: one per warp */

/* The sum of x over the block's threads, for all of them to know. */
__device__ long long block_sum(long long x);
