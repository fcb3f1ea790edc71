// SPDX-License-Identifier: MIT
// mutant: the sigmoid's slope in place of Swish's
// chapter: 24 swish_backward
// expect: WRONG
// shape: B3 H5 L7
//> todo slope
    float s = __fdividef(1.0f, 1.0f + __expf(-a));

    return s * (1.0f - s);
//< todo
