// SPDX-License-Identifier: MIT
// honest: in double precision, by tanh for small x
// chapter: 18 swish
// expect: PASS
//> todo value
    double wide = x;

    y = fabsf(x) < 1.0f ? (float)(0.5 * wide * (1.0 + tanh(0.5 * wide)))
                        : (float)(wide / (1.0 + exp(-wide)));
//< todo
