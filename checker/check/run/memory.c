// SPDX-License-Identifier: MIT
/*
 * memory.c: whether this machine has room for a case; see memory.h.
 *
 * Without this, a SHAPE= of gigabytes would end in the system's killing some
 * process, and not always the one that took the memory.
 */
#include "memory.h"

#include <stdio.h>

/* An array lies in check, in the file it shares with the runner and on the
 * simulated GPU, and check keeps the case before to recognise stale cells. */
enum { COPIES = 4, REFERENCES = 2 };

double memory_needed(const struct op *op, const struct op_shape *shape)
{
    double bytes = 0;

    for (int i = 0; i < op->n_buffers; i++) {
        double n = (double)op_count(op, i, shape);

        bytes += COPIES * (double)op_bytes(op, i, shape);
        if (op_is_written(op, i))
            bytes += n * REFERENCES * sizeof(struct op_cell);
    }
    return bytes;
}

double memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    double kib = 0;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}
