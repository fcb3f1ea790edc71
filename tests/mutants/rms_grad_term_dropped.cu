// SPDX-License-Identifier: MIT
// mutant: a gradient with a missing term: the scale is taken for a constant
// chapter: 24 rms_backward
// expect: WRONG
// shape: B3 H5 L7
//> todo steps
    float squares = 0.0f, own;

    for (int h = 0; h < s.H; h++) {
        size_t i = first + (size_t)h * s.L;

        squares += x[i] * x[i];
    }
    own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
    for (int h = 0; h < s.H; h++) {
        size_t i = first + (size_t)h * s.L;

        dx[i] = skip[i] + own * gamma[h] * dn[i];
    }
    scale[r] = own;
//< todo
