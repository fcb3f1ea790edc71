// SPDX-License-Identifier: MIT
/*
 * device.c: the control channel to simgpu-device; see device.h.
 *
 * A request is a line of text, a reply a line of JSON; `read` is followed by
 * raw bytes. Every wait has a limit, so that a device that hangs is an error
 * and not a hang of check.
 */
#include "device.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check/base/proc.h"

/* Longer than any launch within its budget takes on a slow machine. */
enum { REPLY_MS = 600 * 1000 };

/* Memory of this machine that a device may take, and each of its workers, one
 * per processor. With two, no solution takes more than 300 MiB at any shape. */
enum { DEVICE_MIB = 2048, WORKER_MIB = 128 };

static bool lost(struct device *d, const char *why)
{
    snprintf(d->error, sizeof d->error, "the simulated GPU %s", why);
    return false;
}

bool device_start(struct device *d, const char *program)
{
    return device_start_as(d, program, "", 0);
}

bool device_start_as(struct device *d, const char *program, const char *gpu,
                     int multiprocessors)
{
    int client[2], control[2];
    char client_text[16], control_text[16], bytes_text[24];
    char few[16];
    const char *argv[] = {program, "--client-fd", client_text, "--control-fd",
                          control_text, "--host-bytes", bytes_text,
                          NULL, NULL, NULL, NULL, NULL};
    int n = 7;
    struct proc_config config = {.argv = argv};

    *d = (struct device){.pid = -1, .client_fd = -1, .control = -1};
    if (access(program, X_OK) != 0) {
        snprintf(d->error, sizeof d->error, "there is no %.200s; run make",
                 program);
        return false;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, client) != 0)
        return lost(d, "cannot start: no sockets left");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0) {
        close(client[0]);
        close(client[1]);
        return lost(d, "cannot start: no sockets left");
    }
    snprintf(bytes_text, sizeof bytes_text, "%" PRIu64,
             (uint64_t)(DEVICE_MIB + WORKER_MIB * sysconf(_SC_NPROCESSORS_ONLN))
                 << 20);
    if (*gpu) {
        argv[n++] = "--gpu";
        argv[n++] = gpu;
    }
    if (multiprocessors) {
        snprintf(few, sizeof few, "%d", multiprocessors);
        argv[n++] = "--multiprocessors";
        argv[n++] = few;
    }
    snprintf(client_text, sizeof client_text, "%d", client[1]);
    snprintf(control_text, sizeof control_text, "%d", control[1]);
    config.keep_fd[0] = client[1];
    config.keep_fd[1] = control[1];
    d->pid = proc_start(&config);
    close(client[1]);
    close(control[1]);
    d->client_fd = client[0];
    d->control = control[0];
    return d->pid > 0 || lost(d, "cannot start: no processes left");
}

void device_stop(struct device *d)
{
    if (d->client_fd >= 0)
        close(d->client_fd);
    if (d->control >= 0)
        close(d->control); /* which ends it */
    if (d->pid > 0)
        proc_wait(d->pid, 5.0, NULL);
    text_free(&d->pending);
    d->client_fd = d->control = d->pid = -1;
}

/* Appends what has arrived to pending. */
static bool receive(struct device *d)
{
    struct pollfd p = {.fd = d->control, .events = POLLIN};
    enum { BLOCK = 1 << 16 };
    ssize_t n;
    int ready;
    char *s;

    do
        ready = poll(&p, 1, REPLY_MS);
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return lost(d, "does not answer");
    s = realloc(d->pending.s, d->pending.n + BLOCK + 1);
    if (!s)
        give_up("out of memory while talking to the simulated GPU");
    d->pending.s = s;
    n = read(d->control, s + d->pending.n, BLOCK);
    if (n <= 0)
        return lost(d, "ended unexpectedly (a defect of the workbook)");
    d->pending.n += (size_t)n;
    s[d->pending.n] = '\0';
    return true;
}

static void consume(struct device *d, size_t n)
{
    d->pending.n -= n;
    memmove(d->pending.s, d->pending.s + n, d->pending.n + 1);
}

static bool send_line(struct device *d, const char *line)
{
    size_t n = strlen(line);

    while (n > 0) {
        ssize_t sent = send(d->control, line, n, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return lost(d, "ended unexpectedly (a defect of the workbook)");
        line += sent;
        n -= (size_t)sent;
    }
    return true;
}

static json_t *ask(struct device *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static json_t *ask(struct device *d, const char *format, ...)
{
    char line[400];
    json_error_t wrong;
    json_t *reply;
    va_list args;
    char *end;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (d->control < 0 || !send_line(d, line))
        return NULL;
    while (!d->pending.n || !(end = memchr(d->pending.s, '\n', d->pending.n)))
        if (!receive(d))
            return NULL;
    reply = json_loadb(d->pending.s, (size_t)(end - d->pending.s), 0, &wrong);
    consume(d, (size_t)(end - d->pending.s) + 1);
    if (!reply)
        lost(d, "sent a reply that is not JSON (a defect of the workbook)");
    return reply;
}

static bool is_ok(struct device *d, json_t *reply)
{
    bool ok = json_is_true(json_object_get(reply, "ok"));

    if (reply && !ok)
        lost(d, "refused a request (a defect of the workbook)");
    json_decref(reply);
    return ok;
}

bool device_configure(struct device *d, uint64_t seed, uint64_t budget)
{
    return is_ok(d, ask(d, "configure seed=%" PRIu64 " budget=%" PRIu64
                        " checks=counters,memory,races\n", seed, budget));
}

bool device_look(struct device *d, const struct device_look *look)
{
    return is_ok(d, ask(d, "configure seed=0 budget=%" PRIu64
                        " checks=counters,traffic sample=%d fair=%d trace=%d "
                        "trace_warp=0\n", look->budget, (int)look->sample,
                        (int)look->fair, look->trace));
}

bool device_registers(struct device *d, const char *kernel, int n,
                      const struct device_spills *s)
{
    return is_ok(d, ask(d, "configure registers=%s:%d:%d:%d:%d\n", kernel, n,
                        s->frame, s->stores, s->loads));
}

bool device_watch(struct device *d, uint64_t address)
{
    return is_ok(d, ask(d, "configure watch=%" PRIu64 "\n", address));
}

bool device_inputs(struct device *d, const struct device_input *in, int n)
{
    struct text list = {0};
    bool ok;

    for (int i = 0; i < n; i++)
        text_add(&list, "%s%" PRIu64 ":%zu:%s", i > 0 ? "," : "",
                 in[i].address, in[i].bytes, in[i].small ? "small" : "large");
    ok = is_ok(d, ask(d, "configure inputs=%s\n", text_get(&list)));
    text_free(&list);
    return ok;
}

bool device_clear(struct device *d)
{
    return is_ok(d, ask(d, "clear\n"));
}

json_t *device_report(struct device *d)
{
    return ask(d, "report\n");
}

bool device_undefine(struct device *d, uint64_t address, size_t bytes)
{
    return is_ok(d, ask(d, "undefine %" PRIu64 " %zu\n", address, bytes));
}

bool device_read(struct device *d, uint64_t address, void *to, size_t bytes)
{
    char *at = to;

    if (!is_ok(d, ask(d, "read %" PRIu64 " %zu\n", address, bytes)))
        return false;
    while (bytes > 0) {
        size_t n;

        if (!d->pending.n && !receive(d))
            return false;
        n = d->pending.n < bytes ? d->pending.n : bytes;
        memcpy(at, d->pending.s, n);
        consume(d, n);
        at += n;
        bytes -= n;
    }
    return true;
}
