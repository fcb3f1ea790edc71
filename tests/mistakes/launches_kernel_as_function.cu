// SPDX-License-Identifier: MIT
// mistake: calls the kernel without <<<...>>>
// chapter: 01 add
// expect: BUILD __global__|configured
// say: add\.cu[:(][0-9]+
//> todo launch
    add(a, b, c, shape.N);
//< todo
