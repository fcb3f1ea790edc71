// SPDX-License-Identifier: MIT
// mutant: a dispatcher that names a kernel that does not exist
// chapter: 23 rules
// expect: WRONG
// say: it answers -1
//> todo rules
    (void)gpu;
    return named(s.K > 100 ? "thin" : "shared_16", kernels, n);
//< todo
