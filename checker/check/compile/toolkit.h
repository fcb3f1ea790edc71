// SPDX-License-Identifier: MIT
/*
 * toolkit.h: the CUDA toolkit at hand.
 *
 *   toolkit_find    $NVCC, $CUDA_HOME, the usual folders, PATH
 *   toolkit_sm      the newest machine code it makes that is not above a
 *                   card's; for a newer card the driver compiles the PTX
 */
#ifndef CHECK_TOOLKIT_H
#define CHECK_TOOLKIT_H

#include "check/base/text.h"

struct toolkit {
    bool found;
    char nvcc[PATH_BYTES];
    char lib[PATH_BYTES];  /* folder of NVIDIA's libcudart.so */
    char version[32];      /* "13.0.88" */
    int major;
};

void toolkit_find(struct toolkit *toolkit);
/* card and result: 90 for sm_90. The card's own where nvcc does not say. */
int toolkit_sm(const struct toolkit *toolkit, int card);

#endif
