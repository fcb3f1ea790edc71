// SPDX-License-Identifier: MIT
// mutant: the minimum, not the typical launch
// chapter: 02 timer
// expect: WRONG
// say: one launch: 
// say: the truth is
//> todo answer
    qsort(ms, SAMPLES, sizeof *ms, ascending);
    answer = ms[0];
//< todo
