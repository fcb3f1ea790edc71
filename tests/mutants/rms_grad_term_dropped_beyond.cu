// SPDX-License-Identifier: MIT
// mutant: channels beyond the registers lack the term through the scale
// chapter: 24 rms_backward
// expect: WRONG
//> todo gradient
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        if (inside && i < mine) {
            float g = gamma[warp + i * WARPS] * v.dn[i];

            part[i] += v.dn[i] * v.x[i] * own;
            a.dx[at] = v.skip[i] + own * (g - v.x[i] * dot);
        }
        if (i < due)
            take(&v, i, a, then);
        at += stride;
        then += stride;
    }
    for (int h = KEPT + warp; h < s.H; h += WARPS) {
        float sum = 0;
        unsigned c = first + h * s.L;

        if (inside) {
            a.dx[c] = a.skip[c] + own * a.gamma[h] * a.dn[c];
            sum = a.dn[c] * a.x[c] * own;
        }
        sum = warp_sum(sum);
        if (lane == 0)
            sums[h] = sum;
    }
//< todo
