// SPDX-License-Identifier: MIT
/*
 * device.h: the parts of the process simgpu-device.
 *
 *   main.c      options, and the end of a device that has no check
 *   loop.c      dev_loop: the two sockets
 *   client.c    dev_serve: a message of libcudart -> engine calls (reply.h)
 *   launch.c    dev_check_launch, dev_run: refuse or run a kernel
 *   control.c   dev_control: a line of check -> a line of JSON
 *   log.c       dev_log_*: what happened since the last clear
 *   json.c      dev_report: the log as JSON
 *   traffic.c   dev_traffic: caches, predicted times as JSON
 *   print.c     dev_print: the log for a person
 *   summary.c   dev_print_summary: what a profiler shows first
 *   demangle.c  dev_demangle: "_Z1kPf" -> "k"
 *
 * One thread does all of this; a watchman (loop.c) only looks at the sockets.
 */
#ifndef SIMGPU_DEVICE_H
#define SIMGPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "../core/engine.h"
#include "../wire.h"

struct dev_kernel {
    struct kernel *kernel;
    const struct kernel_info *info;
    size_t max_dynamic_shared; /* bytes; raised by cudaFuncSetAttribute */
};

struct dev_launch {
    char *kernel;            /* mangled */
    uint32_t grid[3], block[3];
    size_t dynamic_shared;
    uint64_t stream;         /* simwire: from SIMWIRE_FIRST_STREAM, or 1 */
    int error;               /* cudaError_t: 0, or why it was refused */
    bool ran;                /* report holds something */
    struct launch_report report;
};

struct dev_api_error {
    char *call, *detail;
    int error;
};

struct dev_log {
    struct dev_launch *launches;
    size_t n_launches;
    struct dev_api_error *api_errors;
    size_t n_api_errors;
    uint64_t calls[N_SIMWIRE_OPS]; /* messages of the client, by operation */
};

/* How the next launches are looked at. */
enum { DEV_REGISTERS = 16 }; /* kernels a stage or a small program has */
struct dev_look {
    bool sample;
    uint32_t trace_warp, trace_events;
    int any_registers;           /* of a kernel that is not listed; 0: none */
    struct dev_registers {
        char kernel[256];        /* mangled */
        int n;
    } registers[DEV_REGISTERS];
    size_t n_registers;
};

enum dev_client_state { DEV_NONE, DEV_CONNECTED, DEV_CLOSED };

struct device {
    struct engine *engine;
    struct engine_config config;
    struct module **modules;
    size_t n_modules;
    struct dev_kernel *kernels;
    size_t n_kernels;
    struct dev_log log;
    struct dev_look look;
    enum dev_client_state client;
    int fault;               /* cudaError_t of a fault; 0: none. Sticky. */
    char *text;              /* printed by kernels, not yet collected */
    size_t text_bytes;
    bool text_full;
    struct dev_launch *pending; /* accepted and acknowledged, to be run */
    struct launch pending_launch;
    struct kernel *pending_kernel;
    void (*bye)(struct device *dev); /* the client is about to end; or NULL */
};

/* Serves both sockets until control_fd ends; without one (-1), until the
 * client does, after dev->bye. Does not return. */
_Noreturn void dev_loop(struct device *dev, int client_fd, int control_fd);

bool dev_open(struct device *dev, const struct engine_config *config);
void dev_close(struct device *dev);

/* One message of libcudart: does it and answers on fd. data: message->data
 * bytes, to be kept until dev->pending, a launch accepted, was run by the
 * caller. false: the connection must end. */
bool dev_serve(struct device *dev, int fd, struct simwire_header *message,
               const uint8_t *data);

/* cudaSuccess, or what a real device answers. resident: how many blocks a
 * cooperative launch may have; 0: it is none. */
int dev_check_launch(const struct device *dev, const struct dev_kernel *kernel,
                     const struct simwire_shape *shape, size_t dynamic_shared,
                     uint64_t resident);
/* Runs dev->pending, logs its report, keeps what it printed. */
void dev_run(struct device *dev);

/* One request line of the control channel, without its newline. Returns the
 * reply (the caller's reference). *raw, *n_raw: bytes to send after it, the
 * caller's to free. *quit: the device is to end. */
json_t *dev_control(struct device *dev, char *line, void **raw, size_t *n_raw,
                    bool *quit);
/* "counters,races" -> enum engine_check, or-ed; list is taken apart. */
bool dev_read_checks(char *list, unsigned *checks);

struct dev_launch *dev_log_launch(struct dev_log *log, const char *kernel,
                                  const struct simwire_shape *shape,
                                  size_t dynamic_shared, int error);
void dev_log_api_error(struct dev_log *log, const char *call, int error,
                       const char *detail);
void dev_log_clear(struct dev_log *log);

/* traffic.c */
bool dev_look_set(struct dev_look *look, const char *name, const char *value);
void dev_look_apply(const struct dev_look *look, const char *kernel,
                    struct launch *launch);
void dev_traffic(json_t *launch, const struct gpu_model *gpu,
                 const struct traffic *t);

json_t *dev_report(const struct device *dev);
/* How many accusations the log holds; dev_print writes nothing where none. */
size_t dev_findings(const struct device *dev);
void dev_print(const struct device *dev, FILE *out);
/* Kernel by kernel, where traffic was watched. */
void dev_print_summary(const struct device *dev, FILE *out);

const char *dev_finding_kind(enum finding_kind kind);
const char *dev_fault_name(enum engine_fault fault);
const char *dev_space_name(uint8_t space);

/* The readable name, without parameters: malloc'd. A name it cannot read
 * comes back as it is. */
char *dev_demangle(const char *mangled);

#endif
