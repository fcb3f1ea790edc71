// SPDX-License-Identifier: MIT
// mutant: a gradient with a missing term: the scale is taken for a constant
// chapter: 24 rms_backward
// expect: WRONG
// shape: B3 H5 L7
//> todo gradient
    (void)dot;
    for (int h = warp; h < s.H; h += WARPS) {
        size_t i = first + (size_t)h * s.L;
        bool kept = h < KEPT;
        float at_x = kept ? kept_x[h][lane] : inside ? x[i] : 0.0f;
        float at_dn = kept ? kept_dn[h][lane] : inside ? dn[i] : 0.0f;
        float sum = warp_sum(at_dn * at_x * own);

        if (inside)
            dx[i] = skip[i] + own * gamma[h] * at_dn;
        if (lane == 0)
            sums[(size_t)blockIdx.x * s.H + h] = sum;
    }
//< todo
