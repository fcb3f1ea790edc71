// SPDX-License-Identifier: MIT
// mutant: exp(x) / (1 + exp(x)): infinity over infinity for large x
// chapter: 18 sigmoid
// expect: WRONG
//> todo value
    y = __expf(x) / (1.0f + __expf(x));
//< todo
