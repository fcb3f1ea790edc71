// SPDX-License-Identifier: MIT
/*
 * probe.h: is there a GPU here that works?
 *
 *   probe_gpu      asks the driver, in a child process
 *
 * In a child, because a driver that is broken may hang or crash, and because
 * a process that has touched the driver must not fork afterwards.
 */
#ifndef HARNESS_PROBE_H
#define HARNESS_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct probe {
    bool usable;
    char why[160];          /* why not, in a sentence */
    char name[128];         /* "NVIDIA H200" */
    char pci[32];           /* "0000:01:00.0" */
    int cc_major, cc_minor; /* compute capability */
    int sms;                /* multiprocessors */
    size_t memory_bytes;
    int driver;             /* CUDA version it serves: 13000 is 13.0 */
};

void probe_gpu(struct probe *probe);

#endif
