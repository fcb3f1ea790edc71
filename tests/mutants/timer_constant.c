// SPDX-License-Identifier: MIT
// mutant: launches nothing, and names a number
// chapter: 02 timer
// expect: WRONG
// say: never launched
//> todo warm-up
//< todo
//> todo sample
        ms[i] = 1;
//< todo
