// SPDX-License-Identifier: MIT
// mutant: a single sample
// chapter: 02 timer
// expect: WRONG
// say: one launch: 
// say: the truth is
//> todo constants
enum { SAMPLES = 1, WARM_MS = 3000, WARM_LAUNCHES = 20 };
//< todo
