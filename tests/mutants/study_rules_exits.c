// SPDX-License-Identifier: MIT
// mutant: ends the program instead of answering
// chapter: 23 rules
// expect: CRASH
// say: before it answered
//> todo rules
    extern void exit(int);

    (void)gpu, (void)s;
    if (n > 0)
        exit(0);
    return named("share64", kernels, n);
//< todo
