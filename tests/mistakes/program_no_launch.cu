// SPDX-License-Identifier: MIT
// mistake: the program launches nothing
// chapter: 01 program
// expect: WRONG
// say: no kernel was launched|launched no kernel|nothing was launched
//> todo launch
//< todo
