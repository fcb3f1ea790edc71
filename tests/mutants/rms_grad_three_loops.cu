// SPDX-License-Identifier: MIT
// mutant: a loop for each sum: x is read once more
// chapter: 24 rms_backward
// expect: TECHNIQUE
//> todo scale
    for (int h = warp; h < s.H; h += WARPS) {
        float at_x = inside ? x[first + (size_t)h * s.L] : 0.0f;

        squares += at_x * at_x;
    }
    of_warp[0][warp][lane] = squares;
    __syncthreads(); // the compiler may not keep x over this
    for (int h = warp; h < s.H; h += WARPS) {
        size_t i = first + (size_t)h * s.L;
        float at_x = inside ? x[i] : 0.0f, at_dn = inside ? dn[i] : 0.0f;

        dot += gamma[h] * at_dn * at_x;
        if (h < KEPT) {
            kept_x[h][lane] = at_x;
            kept_dn[h][lane] = at_dn;
        }
    }
    of_warp[1][warp][lane] = dot;
    __syncthreads(); // each warp has left its sums
    squares = dot = 0.0f;
    for (int w = 0; w < WARPS; w++) {
        squares += of_warp[0][w][lane];
        dot += of_warp[1][w][lane];
    }
    own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
    dot *= own * own / s.H;
//< todo
