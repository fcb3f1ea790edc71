// SPDX-License-Identifier: MIT
// mutant: ReLU6's piecewise line in place of the sigmoid
// chapter: 18 swish
// expect: WRONG logic
//> todo value
    y = x * fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f;
//< todo
