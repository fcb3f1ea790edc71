// SPDX-License-Identifier: MIT
// honest: x times its sigmoid, in two roundings
// chapter: 18 swish
// expect: PASS
//> todo value
    y = x * (1.0f / (1.0f + __expf(-x)));
//< todo
