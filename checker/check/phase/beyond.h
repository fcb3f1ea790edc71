// SPDX-License-Identifier: MIT
/*
 * beyond.h: grids that grow past 65,535 blocks along y or z.
 *
 *   beyond_see    keeps the grids of one case's launches
 *   beyond_case   a case just beyond the limit, if some grid would be
 *
 * A listed size has so many rows only if its operator asks for it. But in a
 * launcher that puts rows along y the grid says how far it grows with the
 * extents of the cases, and so at which size CUDA refuses it.
 */
#ifndef CHECK_BEYOND_H
#define CHECK_BEYOND_H

#include <jansson.h>

#include "check/conf/cases.h"

/* A launch of more kernels is no beginner's. */
enum { BEYOND_KERNELS = 8 };

/* Of one case: for each kernel the most blocks along y and along z. */
struct beyond_grids {
    int n;
    struct {
        uint64_t kernel; /* a hash of its name */
        long long blocks[2];
    } of[BEYOND_KERNELS];
};

void beyond_see(struct beyond_grids *grids, const json_t *report);
/* grids[i] is what cases[i] launched. False: no grid needs another case. */
bool beyond_case(const struct kernel_conf *conf,
                 const struct test_case *cases,
                 const struct beyond_grids *grids, int n, uint64_t seed,
                 struct test_case *c);

#endif
