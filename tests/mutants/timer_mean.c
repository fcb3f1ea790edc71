// SPDX-License-Identifier: MIT
// mutant: the mean instead of the median
// chapter: 02 timer
// expect: WRONG
// say: outliers: 
// say: the truth is
//> todo answer
    answer = 0;
    for (int i = 0; i < SAMPLES; i++)
        answer += ms[i] / SAMPLES;
//< todo
