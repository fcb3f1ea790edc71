// SPDX-License-Identifier: MIT
// mistake: the pointers are still NULL
// chapter: 01 program
// expect: CRASH null pointer
//> todo allocate
//< todo
