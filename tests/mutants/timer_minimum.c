// SPDX-License-Identifier: MIT
// mutant: the luckiest launch, not the typical one
// chapter: 02 timer
// expect: WRONG
// say: one launch: 
// say: the truth is
//> todo answer
    qsort(ms, SAMPLES, sizeof *ms, ascending);
    answer = ms[0];
//< todo
