// SPDX-License-Identifier: MIT
// mistake: the launch is missing
// chapter: 01 add
// expect: WRONG unwritten
// say: no kernel was launched|launched no kernel|nothing was launched
//> todo launch
    (void)a, (void)b, (void)c, (void)shape, (void)stream;
//< todo
