// SPDX-License-Identifier: MIT
// honest: expf and a true division
// chapter: 18 sigmoid
// expect: PASS
//> todo value
    y = 1.0f / (1.0f + expf(-x));
//< todo
