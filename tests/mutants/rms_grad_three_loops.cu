// SPDX-License-Identifier: MIT
// mutant: a loop for each sum: x is read once more
// chapter: 24 rms_backward
// expect: TECHNIQUE
//> todo steps
    float squares = 0.0f, dot = 0.0f, own;

    for (int h = 0; h < s.H; h++)
        squares += x[first + (size_t)h * s.L] * x[first + (size_t)h * s.L];
    own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
    scale[r] = own; // the compiler may not keep x over this
    for (int h = 0; h < s.H; h++) {
        size_t i = first + (size_t)h * s.L;

        dot += gamma[h] * dn[i] * x[i];
    }
    dot *= own * own / s.H;
    for (int h = 0; h < s.H; h++) {
        size_t i = first + (size_t)h * s.L;

        dx[i] = skip[i] + own * (gamma[h] * dn[i] - x[i] * dot);
    }
//< todo
