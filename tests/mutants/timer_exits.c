// SPDX-License-Identifier: MIT
// mutant: ends the program instead of answering
// chapter: 02 timer
// expect: CRASH
// say: exit code 0
//> todo answer
    answer = 0;
    exit(0);
//< todo
