// SPDX-License-Identifier: MIT
// mutant: launches nothing and returns a constant
// chapter: 02 timer
// expect: WRONG
// say: never launched
//> todo warm-up
//< todo
//> todo sample
        ms[i] = 1;
//< todo
