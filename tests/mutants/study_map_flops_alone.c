// SPDX-License-Identifier: MIT
// mutant: a roof of flops alone
// chapter: 23 map
// expect: WRONG
// say: the share is
//> todo roof
    return 2.0 * s.M * s.N * s.K / gpu->flops_per_ms;
//< todo
