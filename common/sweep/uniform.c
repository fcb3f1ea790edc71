// SPDX-License-Identifier: MIT
/*
 * uniform.c: see uniform.h.
 */
#include "sweep/uniform.h"

/* splitmix64: a well mixed number for each counter. */
static uint64_t mix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double uniform_next(uint64_t *state)
{
    return (double)(mix(state) >> 11) * 0x1p-53;
}
