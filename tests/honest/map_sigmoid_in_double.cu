// SPDX-License-Identifier: MIT
// honest: exponential and division in double
// chapter: 18 sigmoid
// expect: PASS
//> todo value
    y = (float)(1.0 / (1.0 + exp((double)-x)));
//< todo
