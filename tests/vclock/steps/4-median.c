// SPDX-License-Identifier: MIT
// step: the middle one
// next: short kernel
//> todo answer
    qsort(ms, SAMPLES, sizeof *ms, ascending);
    answer = ms[SAMPLES / 2];
//< todo
//> todo helpers
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}
//< todo
