// SPDX-License-Identifier: MIT
// mistake: a block of 2048 threads
// chapter: 01 add
// expect: LAUNCH 1024
// say: 2048
// say: [0-9]+ \| add<<<
//> todo launch
    add<<<(shape.N + 2047) / 2048, 2048, 0, stream>>>(a, b, c, shape.N);
//< todo
