// SPDX-License-Identifier: MIT
// mutant: x and dn are read again for dx, as if nothing were in registers
// chapter: 24 rms_backward
// expect: TECHNIQUE
//> todo gradient
    for (int h = warp; h < s.H; h += WARPS) {
        unsigned i = first + h * s.L;
        float x = inside ? a.x[i] : 0.0f, dn = inside ? a.dn[i] : 0.0f;

        if (inside)
            a.dx[i] = a.skip[i] + own * (a.gamma[h] * dn - x * dot);
        if (h < KEPT)
            part[(h - warp) / WARPS] += dn * x * own;
        dn = warp_sum(dn * x * own);
        if (h >= KEPT && lane == 0)
            sums[h] = dn;
    }
#pragma unroll
    for (int i = 0; i < MINE; i++, then += stride)
        if (i < due)
            take(&v, i, a, then);
    (void)at;
//< todo
