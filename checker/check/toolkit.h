// SPDX-License-Identifier: MIT
/*
 * toolkit.h: the CUDA toolkit at hand.
 *
 *   toolkit_find    $NVCC, $CUDA_HOME, the usual folders, PATH
 */
#ifndef CHECK_TOOLKIT_H
#define CHECK_TOOLKIT_H

#include "text.h"

struct toolkit {
    bool found;
    char nvcc[PATH_BYTES];
    char lib[PATH_BYTES];  /* folder of NVIDIA's libcudart.so */
    char version[32];      /* "13.0.88" */
    int major;
};

void toolkit_find(struct toolkit *toolkit);

#endif
