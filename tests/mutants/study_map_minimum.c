// SPDX-License-Identifier: MIT
// mutant: the best of the repeats
// chapter: 23 map
// expect: WRONG
// say: the share is
//> todo median
    double least = INFINITY;

    for (int i = 0; i < n; i++)
        least = fmin(least, ms[i]);
    return least == INFINITY ? NAN : least;
//< todo
