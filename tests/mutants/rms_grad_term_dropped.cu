// SPDX-License-Identifier: MIT
// mutant: a gradient with a missing term: the scale is taken for a constant
// chapter: 24 rms_backward
// expect: WRONG
// shape: B3 H5 L7
//> todo gradient
    (void)dot;
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        if (inside && i < mine) {
            part[i] += v.dn[i] * v.x[i] * own;
            a.dx[at] = v.skip[i] + own * gamma[warp + i * WARPS] * v.dn[i];
        }
        if (i < due)
            take(&v, i, a, then);
        at += stride;
        then += stride;
    }
//< todo
