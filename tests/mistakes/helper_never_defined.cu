// SPDX-License-Identifier: MIT
// mistake: declares a function of the host, and never defines it
// chapter: 04 forward
// expect: BUILD
// say: blocks_for
// say: defined nowhere
//> todo launch
    extern int blocks_for(int n);

    forward<<<blocks_for(shape.B * shape.H * shape.L), 256, 0, stream>>>(
        x, w, y, shape);
//< todo
