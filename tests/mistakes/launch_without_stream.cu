// SPDX-License-Identifier: MIT
// mistake: the launch has no stream
// chapter: 05 forward
// expect: REFUSED
// say: Launch on the stream you are given
//> todo launch
    unsigned n = shape.B * shape.H * shape.L;
    unsigned blocks = (n + THREADS - 1) / THREADS;
    forward<<<blocks, THREADS>>>(x, w, y, shape);
//< todo
