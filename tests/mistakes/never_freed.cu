// SPDX-License-Identifier: MIT
// mistake: nothing is freed: a hint, no failure
// chapter: 01 program
// expect: PASS free
//> todo free
//< todo
