// SPDX-License-Identifier: MIT
/* filter.h: what ok/units_filter.cu and filter_passes.cu share. */
enum { WIDTH = 150, HEIGHT = 70, RADIUS = 2, TAPS = 2 * RADIUS + 1 };

extern __constant__ float weights[TAPS];
extern __device__ int edge_loads; /* by threads whose tile reaches the edge */

void filter(const float *in, float *between, float *out);
