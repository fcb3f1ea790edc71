// SPDX-License-Identifier: MIT
/*
 * device.h: the parts of the process simgpu-device.
 *
 *   main.c      options, and the end of a private device
 *   loop.c      dev_loop: serves the two sockets
 *   client.c    dev_serve: a message of libcudart -> engine calls (reply.h)
 *   launch.c    dev_check_launch, dev_run: refuse or run a kernel
 *   queue.c     dev_queue_*: work that comes while a kernel runs (queue.h)
 *   control.c   dev_control: a line of check -> a line of JSON
 *   log.c       dev_log_*: what happened since the last clear
 *   json.c      dev_report: the log as JSON
 *   traffic.c   dev_traffic: caches, stalls, predicted times as JSON
 *   merged.c    dev_merge: the log without its repetitions
 *   print.c     dev_print: the log as text
 *   host_line.c dev_print_caller: the program's line that made a call
 *   origins.c   dev_origin_add, dev_print_origins: of allocations
 *   explain.c   dev_explain_*: what CUDA's errors leave out
 *   remarks.c   dev_print_remarks: errors that nobody asked for
 *   suppress.c  dev_suppress_*: findings that nobody wants to see
 *   progress.c  dev_print_progress: a line for a long kernel
 *   summary.c   dev_print_summary: what a profiler shows first
 *   demangle.c  dev_demangle: "_Z1kPf" -> "k"
 *
 * One thread does all of this; a second, the watchdog (loop.c), waits for the
 * owner's socket to close, and looks after a kernel that runs. A private device
 * is one that a program started, rather than check.
 */
#ifndef SIMGPU_DEVICE_H
#define SIMGPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "../core/engine.h"
#include "../core/model/held.h"
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
    size_t static_shared;    /* the kernel's own */
    size_t allowed_shared;   /* dynamic bytes that it was allowed */
    uint64_t stream;         /* its number; see wire.h */
    bool replayed;           /* that graph was launched before */
    uint64_t graph;          /* as a node of a graph: the number of the graph's
                                launch; else 0 */
    int error;               /* cudaError_t: 0, or why it was refused, */
    char reason[200];        /* in words; "": not known */
    char *caller;            /* of a refused one, as rt_caller says it; owned,
                                or NULL: unknown */
    bool ran;                /* report is valid */
    struct launch_report report;
};

struct dev_api_error {
    char *call, *detail;
    char *caller;    /* as rt_caller says it; owned, or NULL: unknown */
    char *other;     /* the same of what the call is compared with */
    int error;
    uint64_t thread; /* of the client's */
    uint64_t from;   /* where the client called it; 0: unknown */
    bool asked;      /* the program has asked for the error */
    bool accuses;    /* a finding */
};

struct dev_log {
    struct dev_launch *launches;
    size_t n_launches;
    struct dev_api_error *api_errors;
    size_t n_api_errors, n_asked; /* n_asked: all before this one are */
    uint64_t calls[N_SIMWIRE_OPS]; /* messages of the client, by operation */
    uint64_t copied, filled; /* bytes, by copies within the device, memsets */
};

/* One thing to tell: a launch's finding, a refused launch (no finding), a
 * finding between streams (no launch), or a failed call. */
struct dev_thing {
    const struct dev_launch *launch;   /* the first, */
    const struct dev_launch *latest;   /* and the latest; or NULL */
    const struct finding *finding;
    const struct dev_api_error *call;
    uint64_t count;                    /* of all launches, or calls */
    size_t launches;                   /* how many of them; of a graph's, one */
    bool suppressed;
    bool differs;                      /* calls: in the numbers of their text */
};

struct dev_merged {
    struct dev_thing *thing; /* [n], in the order of the program */
    size_t n;
};

/* What the traffic observer does at the next launches. */
enum { DEV_REGISTERS = 16 }; /* kernels whose registers can be told apart */
struct dev_observe {
    bool sample, fair;
    uint32_t trace_warp, trace_events;
    int any_registers;           /* per thread, of other kernels; 0: unknown */
    struct dev_registers {
        char kernel[256];        /* mangled */
        int n;
        struct launch_spills spills;
    } registers[DEV_REGISTERS];
    size_t n_registers;
};

/* What a file says need not be reported; suppress.c. */
struct dev_suppressions {
    struct dev_suppression *list;
    size_t n;
    char *path;
};

/* Where the program allocated and freed memory; origins.c. */
struct dev_origins {
    struct dev_origin *list;
    size_t n;
};

enum dev_client_state { DEV_NONE, DEV_CONNECTED, DEV_CLOSED };

struct device {
    struct engine *engine;
    struct engine_config config;
    struct module **modules;
    size_t n_modules;
    char no_ptx[700];        /* "", or "; ..." about a part without PTX */
    struct dev_kernel *kernels;
    size_t n_kernels;
    struct dev_log log;
    struct dev_origins origins;
    struct dev_observe observe;
    struct held held;        /* by L2, since the last clear; */
    uint64_t held_moved;     /* bytes that copies had moved by then */
    struct dev_suppressions *suppressions; /* NULL: none were asked for */
    double progress;         /* seconds until a kernel's first line of
                                progress; 0: no lines */
    double progress_next;
    enum dev_client_state client;
    int fault;               /* cudaError_t of a sticky fault; 0: none */
    char *text;              /* printed by kernels, not sent yet */
    size_t text_bytes;
    bool text_full;
    struct dev_launch *pending; /* accepted and answered, not run yet */
    struct launch pending_launch;
    struct kernel *pending_kernel;
    void (*bye)(struct device *dev); /* the client is about to end; or NULL:
                                the device is not private */
    struct dev_queue *queue; /* queue.c; NULL: nothing so far */
    bool beside;             /* what is done now comes while kernels poll */
    uint64_t *times;         /* of events, ns; 0: not recorded yet */
    size_t n_times;
};

/* Serves both sockets until control_fd closes; without one (-1), until the
 * client closes its own, then calls dev->bye. Does not return. */
_Noreturn void dev_loop(struct device *dev, int client_fd, int control_fd);

bool dev_open(struct device *dev, const struct engine_config *config);

/* Executes one message of libcudart and answers it on fd. data: message->data
 * bytes. If that accepts a launch (dev->pending), the caller runs it (dev_run)
 * and keeps data until then. false: the connection must end. */
bool dev_serve(struct device *dev, int fd, struct simwire_header *message,
               const uint8_t *data);

/* cudaSuccess, or the error that a GPU's runtime returns. resident: the most
 * blocks that a cooperative launch may have; 0: not cooperative. */
int dev_check_launch(const struct device *dev, const struct dev_kernel *kernel,
                     const struct simwire_shape *shape, size_t dynamic_shared,
                     uint64_t resident);
/* Fills in the reason of a refused launch. resident: as above. */
void dev_explain_refusal(const struct device *dev,
                         const struct dev_kernel *kernel, uint64_t resident,
                         struct dev_launch *launch);
/* Adds whose memory it is to findings out of bounds, where that is known. */
void dev_explain_findings(const struct device *dev,
                          struct launch_report *report);
/* Would this OP_LAUNCH be accepted? */
bool dev_accepts_launch(const struct device *dev,
                        const struct simwire_header *m, const uint8_t *data);
/* What the next call that waits returns. */
int dev_error_of(enum engine_fault fault);
/* What a kernel printed. */
void dev_keep_text(struct device *dev, const char *text, size_t n);
/* Executes a message that nobody waits for; its error. */
int dev_do(struct device *dev, const struct simwire_header *m,
           const uint8_t *data);
void dev_set_time(struct device *dev, uint64_t event, uint64_t ns);
/* Runs dev->pending, logs its report and appends its output to dev->text. */
void dev_run(struct device *dev);

/* Executes one request line of the control channel, without its newline.
 * Returns the reply (a reference that the caller owns). *raw, *n_raw: bytes to
 * send after it; the caller frees them. *quit: the device must end. */
json_t *dev_control(struct device *dev, char *line, void **raw, size_t *n_raw,
                    bool *quit);
/* "counters,races" -> a mask of enum engine_check; modifies list. */
bool dev_read_checks(char *list, unsigned *checks);

struct dev_launch *dev_log_launch(struct dev_log *log, const char *kernel,
                                  const struct simwire_shape *shape,
                                  size_t dynamic_shared, int error);
void dev_log_api_error(struct dev_log *log, const char *call, int error,
                       const char *detail, uint64_t thread, bool accuses);
/* thread 0: all errors equal to this one; else all of the thread's. */
void dev_log_asked(struct dev_log *log, uint64_t thread, int error);
void dev_log_clear(struct dev_log *log);

/* traffic.c */
bool dev_observe_set(struct dev_observe *observe, const char *name,
                     const char *value);
void dev_observe_apply(const struct dev_observe *observe, const char *kernel,
                       struct launch *launch);
/* Of a launch that ran, or NULL. */
void dev_observe_held(struct device *dev, struct traffic *t);
void dev_traffic(json_t *launch, const struct gpu_model *gpu,
                 const struct traffic *t);

json_t *dev_report(const struct device *dev);
/* How many findings the log holds; if none, dev_print writes nothing. */
struct dev_merged dev_merge(const struct device *dev);
void dev_merge_free(struct dev_merged *merged);
size_t dev_findings(const struct device *dev);
void dev_print(const struct device *dev, FILE *out);
/* false: error says what is wrong with the file. */
bool dev_suppress_read(struct dev_suppressions *s, const char *path,
                       char *error, size_t error_size);
/* Also notes which of the file's lines were of use. */
bool dev_suppressed(struct dev_suppressions *s, const struct finding *f);
/* n: how many findings were suppressed. */
void dev_print_suppressed(const struct dev_suppressions *s, size_t n,
                          FILE *out);
/* A line of the report: where the program made the call; nothing if that is not
 * known. Asks addr2line, of the toolchain that nvcc needs. */
void dev_print_caller(const struct dev_api_error *e, FILE *out);
/* The same of one place, as rt_caller says it; what: the words before it. */
void dev_print_place(const char *caller, const char *what, FILE *out);
/* caller: as rt_caller says it; copied. */
void dev_origin_add(struct dev_origins *o, uint64_t address, bool frees,
                    const char *caller);
/* Where the finding's allocation was made, and, if it was used after that,
 * freed; once for each, and nothing if that is not known. */
void dev_print_origins(const struct device *dev, const struct finding *f,
                       FILE *out);
/* Failed calls whose errors nobody asked for. */
void dev_print_remarks(const struct device *dev, FILE *out);
/* Called every second while a kernel may run. */
void dev_print_progress(struct device *dev, FILE *out);
/* Kernel by kernel; needs CHECK_TRAFFIC. */
void dev_print_summary(const struct device *dev, FILE *out);

/* The readable name, without parameters (malloc'd). A name that cannot be
 * demangled is returned unchanged. */
char *dev_demangle(const char *mangled);

#endif
