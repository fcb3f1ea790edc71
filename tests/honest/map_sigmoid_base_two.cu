// SPDX-License-Identifier: MIT
// honest: exp2f, and a reciprocal
// chapter: 18 sigmoid
// expect: PASS
//> todo value
    y = __frcp_rn(1.0f + exp2f(-1.44269504f * x));
//< todo
