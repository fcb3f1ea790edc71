// SPDX-License-Identifier: MIT
// mutant: no warm-up, and the mean includes the first launch
// chapter: 02 timer
// expect: WRONG
// say: first launch: 
// say: the truth is
//> todo warm-up
//< todo
//> todo answer
    answer = 0;
    for (int i = 0; i < SAMPLES; i++)
        answer += ms[i] / SAMPLES;
//< todo
