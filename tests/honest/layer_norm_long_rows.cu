// SPDX-License-Identifier: MIT
// honest: rows of which a thread has a thousand columns are right to the end
// chapter: 21 two_sums
// expect: PASS
// shape: R9 C1000003
//> todo workspace
    (void)shape;
    return 0;
