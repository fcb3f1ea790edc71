// SPDX-License-Identifier: MIT
// mutant: dz is read again for its sum
// chapter: 24 swish_backward
// expect: TECHNIQUE
//> todo cells
    float own = bias[i / s.L % s.H], sum = 0.0f;

    for (size_t cell = i; cell < n; cell += apart)
        dz[cell] = dy[cell] * slope(z[cell] + own);
    for (size_t cell = i; cell < n; cell += apart)
        sum += dz[cell];
    sums[i] = sum;
//< todo
