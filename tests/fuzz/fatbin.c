// SPDX-License-Identifier: MIT
/*
 * fatbin.c: reads arbitrary bytes as a fat binary, plain or compressed. Nothing
 * may crash, leak or overflow; an error is a correct result.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"
#include "simgpu/ptx/fatbin.h"

enum { CC = 90 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[256];
    char source[16];
    size_t n;

    free(fatbin_ptx(data, size, CC, &n, error, sizeof error));
    fatbin_source(data, size, source, sizeof source);
    return 0;
}
