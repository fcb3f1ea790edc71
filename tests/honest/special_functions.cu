// SPDX-License-Identifier: MIT
// honest: host code that calls a special function of C++17
// chapter: 01 add
// expect: PASS
// shape: N257
//> todo launch
    unsigned n = shape.N, in_block = (unsigned)std::beta(1.0, 1.0) * THREADS;
    unsigned blocks = (n + in_block * EACH - 1) / (in_block * EACH);

    add<<<blocks, in_block, 0, stream>>>(a, b, c, n);
//< todo
