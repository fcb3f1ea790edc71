// SPDX-License-Identifier: MIT
// mutant: answers in seconds
// chapter: 02 timer
// expect: WRONG
// say: not in milliseconds
//> todo answer
    qsort(ms, SAMPLES, sizeof *ms, ascending);
    answer = ms[SAMPLES / 2] / 1000;
//< todo
