// SPDX-License-Identifier: MIT
/*
 * previous.h: the stage that a stage is timed against.
 *
 *   previous_stage    its library, its operator, and whose it is
 *
 *   previous_is_named whether the chapter says that there is one
 *   previous_ahead    builds it beside other work, if it is another chapter's
 *
 * The learner's own, where its last report passed and its source is still
 * the same; else the reference one; else, without solutions/, the library
 * that the build brought along. Its operator may be another one of the same
 * family: a product in tf32 is timed against one in fp32, on its own data of
 * the same shape.
 */
#ifndef CHECK_PREVIOUS_H
#define CHECK_PREVIOUS_H

#include "check/conf/workbook.h"

struct previous {
    const struct op *op;
    char stage[PATH_BYTES];
    char whose[PATH_BYTES]; /* "your chapters/04-dwconv-naive" */
};

/* False: the chapter has none, or none can be built. */
bool previous_stage(const struct workbook *workbook,
                    const struct kernel_conf *kernel,
                    struct previous *previous);
bool previous_is_named(const struct workbook *workbook,
                       const struct kernel_conf *kernel);
void previous_ahead(const struct workbook *workbook,
                    const struct kernel_conf *kernel);

#endif
