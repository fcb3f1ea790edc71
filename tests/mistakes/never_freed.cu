// SPDX-License-Identifier: MIT
// mistake: nothing is freed: a hint, not a failure
// chapter: 01 program
// expect: PASS free
//> todo free
//< todo
