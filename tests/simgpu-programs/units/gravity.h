// SPDX-License-Identifier: MIT
/* gravity.h: what ok/units_nbody.cu and gravity.cu share. */
#define SOFT 0.01f   /* added to the square of a distance */
#define PULL 0.0001f /* what a body's mass is multiplied by */

/* sum, and what a body at `from` adds to the acceleration of one at `at`. */
__device__ float3 pull(float3 sum, float4 at, float4 from);
