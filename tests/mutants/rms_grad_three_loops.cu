// SPDX-License-Identifier: MIT
// mutant: a loop for each sum: x is read once more
// chapter: 24 rms_backward
// expect: TECHNIQUE
//> todo scale
    for (int h = warp; h < s.H; h += WARPS) {
        float x = a.x[first + h * s.L];

        squares += x * x;
    }
#pragma unroll
    for (int i = 0; i < MINE; i++)
        dot += gamma[warp + i * WARPS] * v.dn[i] * v.x[i];
    for (int h = KEPT + warp; h < s.H; h += WARPS)
        dot += a.gamma[h] * a.dn[first + h * s.L] * a.x[first + h * s.L];
    of_warp[turn][0][warp][lane] = squares;
    of_warp[turn][1][warp][lane] = dot;
    __syncthreads(); // each warp has left its sums
    squares = dot = 0.0f;
    for (int w = 0; w < WARPS; w++) {
        squares += of_warp[turn][0][w][lane];
        dot += of_warp[turn][1][w][lane];
    }
    own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
    dot *= own * own / s.H;
//< todo
