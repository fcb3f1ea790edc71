// SPDX-License-Identifier: MIT
// mistake: the pointers are still NULL
// chapter: 01 program
// expect: MEMORY|CRASH|LAUNCH|WRONG NULL|null|allocat
//> todo allocate
//< todo
