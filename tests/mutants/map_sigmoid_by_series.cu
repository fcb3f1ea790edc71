// SPDX-License-Identifier: MIT
// mutant: the exponential by a hundred terms in double, squared six times
// chapter: 18 sigmoid
// expect: SLOW PREDICTED to take .* times as long as its bytes need
// say: times is allowed
// say: work that is done more than once
//> todo value
    double part = fmin(fabs((double)x), 120.0) / 64.0;
    double term = 1.0, sum = 1.0;

    for (int k = 1; k <= 100; k++)
        sum += term *= part / k;
    for (int i = 0; i < 6; i++)
        sum *= sum;
    y = x != x ? x : (float)(x < 0.0f ? 1.0 / (1.0 + sum)
                                      : sum / (1.0 + sum));
//< todo
