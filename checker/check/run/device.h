// SPDX-License-Identifier: MIT
/*
 * device.h: check's control of one simulated GPU.
 *
 *   device_start, device_stop
 *   device_look, device_registers   see watched.c
 *   device_configure   seed of the shuffle, budget of instructions
 *   device_watch       whose writes to report, in the launches after it
 *   device_inputs      arrays of which loads are counted apart
 *   device_clear, device_report
 *   device_undefine, device_read
 *
 * The device is a process of its own (docs/architecture.md, "Device control
 * channel"). A stage reaches it through client_fd only; everything here goes
 * over the other socket, which the stage's process does not have. A false or
 * NULL return means that the device is gone or answered nonsense: error says.
 */
#ifndef CHECK_DEVICE_H
#define CHECK_DEVICE_H

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

#include "check/base/text.h"

struct device {
    pid_t pid;
    int client_fd;        /* the runner's end */
    int control;
    struct text pending;  /* received, not yet consumed */
    char error[256];
};

bool device_start(struct device *device, const char *program);
/* Posing as a GPU by its key ("t4"); "": the default. With this many of its
 * multiprocessors; 0: with all. */
bool device_start_as(struct device *device, const char *program,
                     const char *gpu, int multiprocessors);
void device_stop(struct device *device);
/* seed 0: natural order. budget: warp instructions per launch. */
bool device_configure(struct device *device, uint64_t seed, uint64_t budget);
/* From now on traffic is watched, and nothing is checked. */
struct device_look {
    uint64_t budget;
    bool sample;          /* some blocks of the grid run */
    bool fair;            /* blocks take turns */
    int trace;            /* accesses that become events */
};
bool device_look(struct device *device, const struct device_look *look);
/* Registers per thread of a kernel, by its mangled name, and bytes: of a
 * thread's frame, and that its instructions spill. */
struct device_spills {
    int frame, stores, loads;
};
bool device_registers(struct device *device, const char *kernel, int n,
                      const struct device_spills *spills);
/* Writes to this address become findings of kind "watched", which accuse
 * nobody. 0: none are reported. */
bool device_watch(struct device *device, uint64_t address);
/* Arrays of which loads are counted apart, in the launches after it. */
struct device_input {
    uint64_t address;
    size_t bytes;
    bool small;
};
bool device_inputs(struct device *device, const struct device_input *inputs,
                   int n);
bool device_clear(struct device *device);
/* Since the last clear; the caller owns it. Waits for the launch under way. */
json_t *device_report(struct device *device);
bool device_undefine(struct device *device, uint64_t address, size_t bytes);
bool device_read(struct device *device, uint64_t address, void *to,
                 size_t bytes);

#endif
