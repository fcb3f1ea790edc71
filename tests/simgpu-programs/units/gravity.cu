// SPDX-License-Identifier: MIT
/* gravity.cu: of ok/units_nbody.cu. */
#include "gravity.h"

static __device__ float scale = PULL;

__device__ float3 pull(float3 sum, float4 at, float4 from)
{
    float dx = from.x - at.x, dy = from.y - at.y, dz = from.z - at.z;
    float r2 = dx * dx + dy * dy + dz * dz + SOFT;
    float f = scale * from.w * rsqrtf(r2) / r2;
    return make_float3(sum.x + dx * f, sum.y + dy * f, sum.z + dz * f);
}
