// SPDX-License-Identifier: MIT
// step: a hundred and one of them
// next: outliers
//> todo constants
enum { SAMPLES = 101 };
//< todo
