// SPDX-License-Identifier: MIT
/*
 * ownroofs.h: the ceilings that the learner's own kernels reach.
 *
 *   own_roofs_keep    after a check of chapter 03 on a GPU
 *
 * `make roofline` draws them in place of the harness's: roofs/yours/GPU.json
 * in the build folder, in the form of the harness's own (roofs.h).
 */
#ifndef CHECK_OWNROOFS_H
#define CHECK_OWNROOFS_H

#include "json.h"

/* Writes nothing unless both kernels passed and were timed. */
void own_roofs_keep(const struct outcome *outcome);

#endif
