// SPDX-License-Identifier: MIT
// mutant: an index beyond the kernels
// chapter: 23 rules
// expect: WRONG
// say: the kernels are 0 to
//> todo rules
    (void)gpu;
    return s.K > 100 ? named("share64", kernels, n) : n;
//< todo
