// SPDX-License-Identifier: MIT
/*
 * building.h: a kernel's stage is built, and who is to blame if it is not.
 *
 *   building_start      begins; all kernels' builds run side by side
 *   building_finish     waits for nvcc; its warnings become notes
 *   building_assemble   waits for ptxas, or ends it where nobody asks for it
 *
 * The last two return false once they have given the verdict BUILD.
 */
#ifndef CHECK_BUILDING_H
#define CHECK_BUILDING_H

#include "check/judge/judge.h"

void building_start(const struct workbook *workbook,
                    struct kernel_result *result);
bool building_finish(const struct workbook *w, struct kernel_result *result);
/* Comes after the simulated GPU has run the stage: the verdict so far says
 * whether ptxas is asked. If ptxas refuses the code, nothing that the simulated
 * GPU made of it counts. Where a GPU is at hand, nvcc did this. */
bool building_assemble(const struct workbook *workbook,
                       struct kernel_result *result);

#endif
