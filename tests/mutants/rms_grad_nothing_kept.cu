// SPDX-License-Identifier: MIT
// mutant: x and dn are read again for dx, as if nothing were on chip
// chapter: 24 rms_backward
// expect: TECHNIQUE
//> todo gradient
    for (int h = warp; h < s.H; h += WARPS) {
        size_t i = first + (size_t)h * s.L;
        float at_x = inside ? x[i] : 0.0f, at_dn = inside ? dn[i] : 0.0f;
        float sum = warp_sum(at_dn * at_x * own);

        if (inside)
            dx[i] = skip[i] + own * (gamma[h] * at_dn - at_x * dot);
        if (lane == 0)
            sums[(size_t)blockIdx.x * s.H + h] = sum;
    }
//< todo
