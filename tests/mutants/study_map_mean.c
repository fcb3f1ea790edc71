// SPDX-License-Identifier: MIT
// mutant: the mean of the repeats
// chapter: 23 map
// expect: WRONG
// say: the share is
//> todo median
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += ms[i];
    return sum / n;
//< todo
