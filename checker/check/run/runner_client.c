// SPDX-License-Identifier: MIT
/*
 * runner_client.c: check's side of one runner process; see runner_client.h.
 *
 * What the runner answers is copied out with its text made printable, and an
 * answer to a question that was not asked ends the runner.
 */
#include "runner_client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check/base/fair.h"
#include "check/base/progress.h"
#include "keeper.h"
#include "runner_inside.h"

void runner_describe(struct runner_failure *failure, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(failure->message, sizeof failure->message, format, args);
    va_end(args);
}

/* Text from the runner: ended, and without escape sequences. */
static void copy_text(char *to, size_t size, const char *from)
{
    size_t i;

    for (i = 0; i + 1 < size && from[i]; i++)
        to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? ' ' : from[i];
    to[i] = '\0';
}

void runner_kill(const struct runner *r)
{
    if (r->pid <= 0)
        return;
    kill(-r->pid, SIGKILL); /* and what the stage forked */
    kill(r->pid, SIGKILL);
}

static void end(struct runner *r)
{
    if (r->pid <= 0)
        return;
    runner_kill(r);
    while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    r->pid = 0;
}

/* The exit status of a runner whose channel closed; it has a moment to end. */
static bool collect(struct runner *r, int *status)
{
    const struct timespec moment = {0, 10 * 1000 * 1000};

    for (int i = 0; i < 100; i++) {
        pid_t pid = waitpid(r->pid, status, WNOHANG);
        if (pid == r->pid) {
            kill(-r->pid, SIGKILL);
            r->pid = 0;
            return true;
        }
        nanosleep(&moment, NULL);
    }
    return false;
}

static enum runner_status gone(struct runner *r, struct runner_failure *f)
{
    int status;

    if (!collect(r, &status)) {
        end(r);
        runner_describe(f, "the stage closed the checker's channel");
        return RUNNER_REFUSED;
    }
    if (WIFSIGNALED(status)) {
        f->signal = WTERMSIG(status);
        f->unfair = f->signal == SIGKILL && !fair_memory_was();
        runner_describe(f, "the stage's host code crashed: %s",
                        strsignal(f->signal));
        return RUNNER_CRASHED;
    }
    f->exit_code = WEXITSTATUS(status);
    runner_describe(f, "the stage ended the process with exit(%d). A launcher "
                       "must return to its caller",
                    f->exit_code);
    return RUNNER_EXITED;
}

enum runner_status runner_refuse(struct runner *r, struct runner_failure *f)
{
    end(r);
    runner_describe(f, "something other than the runner wrote to the checker's "
                       "channel");
    return RUNNER_REFUSED;
}

static bool channel_is_quiet(const struct runner *r)
{
    struct pollfd p = {.fd = r->channel, .events = POLLIN};

    return poll(&p, 1, 0) == 0 || (p.revents & POLLHUP) != 0;
}

static const enum runner_status statuses[WIRE_STATUSES] = {
    [WIRE_DONE] = RUNNER_OK,
    [WIRE_LAUNCH_FAILED] = RUNNER_LAUNCH,
    [WIRE_DEVICE_FAILED] = RUNNER_DEVICE,
    [WIRE_SYMBOL_MISSING] = RUNNER_SYMBOL,
    [WIRE_REFUSED] = RUNNER_REFUSED,
};

static enum runner_status judge_reply(struct runner *r, uint32_t token,
                                      struct runner_failure *f)
{
    const struct wire_reply *reply = (const void *)r->frame.payload;

    if (r->frame.type != WIRE_REPLY || r->frame.token != token ||
        r->frame.length != sizeof *reply || reply->status >= WIRE_STATUSES)
        return runner_refuse(r, f);
    if (reply->status != WIRE_DONE) {
        copy_text(f->error_name, sizeof f->error_name, reply->error_name);
        copy_text(f->message, sizeof f->message, reply->message);
    }
    return statuses[reply->status];
}

/* Waits, but for a moment that is left, or until an answer begins. Says what is
 * awaited, where it takes long. Returns the deadline, which moves if the
 * machine stands still. */
static double be_patient(const struct runner *r, enum wire_type type,
                         struct fair *fair)
{
    static const char *const awaited[] = {
        [WIRE_HELLO] = "the runner to find its GPU",
        [WIRE_LOAD] = "the workspace query to return",
        [WIRE_UPLOAD] = "the inputs to be copied",
        [WIRE_LAUNCH] = "the launcher and its kernels to end",
        [WIRE_DOWNLOAD] = "the outputs to be copied",
        [WIRE_TIME] = "launches that are timed to end",
        [WIRE_KEEP] = "memory for the arrays",
        [WIRE_SOURCE] = "the inputs to be copied",
        [WIRE_RENEW] = "new arrays",
        [WIRE_COLLECT] = "the outputs to be copied",
        [WIRE_RUN] = "the launcher and its kernels to end",
        [WIRE_RELEASE] = "the arrays to be given back",
    };
    struct pollfd p = {.fd = r->channel, .events = POLLIN};
    double begun = wire_now(), deadline = begun + r->seconds;
    bool said = r->seconds <= PROGRESS_PATIENCE;

    if (poll(&p, 1, FAIR_SLICE_MS) != 0)
        return deadline;
    fair_begin(fair);
    while (wire_now() + 1e-3 * FAIR_SLICE_MS < deadline &&
           poll(&p, 1, FAIR_SLICE_MS) == 0) {
        deadline += fair_gap(fair);
        if (wire_now() + 2e-3 * FAIR_SLICE_MS >= deadline &&
            fair_more(fair, r->seconds))
            deadline += r->seconds;
        if (!said && wire_now() - begun >= PROGRESS_PATIENCE) {
            progress_await(awaited[type], r->seconds);
            said = true;
        }
    }
    return deadline;
}

static enum runner_status ask(struct runner *r, enum wire_type type,
                              const void *payload, size_t length,
                              struct runner_failure *f)
{
    *f = (struct runner_failure){0};
    if (r->pid <= 0) {
        runner_describe(f, "the runner is gone");
        return RUNNER_REFUSED;
    }
    if (!channel_is_quiet(r))
        return runner_refuse(r, f);
    if (getrandom(&r->token, sizeof r->token, 0) != sizeof r->token)
        abort(); /* cannot be, for so few bytes */
    /* A send that fails is explained by the reply that will not come. */
    wire_send(r->channel, type, r->token, payload, length);
    return RUNNER_OK;
}

static enum runner_status await(struct runner *r, enum wire_type type,
                                struct runner_failure *f)
{
    struct fair fair = {0};

    *f = (struct runner_failure){0};
    switch (wire_receive(r->channel, be_patient(r, type, &fair), &r->frame)) {
    case WIRE_OK:
        return judge_reply(r, r->token, f);
    case WIRE_CLOSED:
        return gone(r, f);
    case WIRE_TIMEOUT:
        f->unfair = !fair_was(&fair, r->seconds);
        end(r);
        runner_describe(f, "no answer within %.3g s; the runner was ended",
                 r->seconds);
        return RUNNER_TIMEOUT;
    case WIRE_GARBAGE:
        break;
    }
    return runner_refuse(r, f);
}

/* One request and its reply, which stays in r->frame. */
enum runner_status runner_call(struct runner *r, enum wire_type type,
                               const void *payload, size_t length,
                               struct runner_failure *f)
{
    enum runner_status status = ask(r, type, payload, length, f);

    return status == RUNNER_OK ? await(r, type, f) : status;
}

enum runner_status runner_call_with(struct runner *r, enum wire_type type,
                                    const void *payload, size_t length,
                                    int file, struct runner_failure *f)
{
    enum runner_status status = ask(r, type, payload, length, f);

    if (status != RUNNER_OK)
        return status;
    wire_send_file(r->channel, file); /* as in ask() */
    return await(r, type, f);
}

const struct wire_reply *runner_reply(const struct runner *r)
{
    return (const void *)r->frame.payload;
}

static enum runner_status hear_hello(struct runner *r,
                                     struct runner_failure *f)
{
    enum runner_status status = await(r, WIRE_HELLO, f);
    const struct wire_device *d = &runner_reply(r)->u.device;

    if (status != RUNNER_OK)
        return status;
    copy_text(r->device.name, sizeof r->device.name, d->name);
    copy_text(r->device.pci, sizeof r->device.pci, d->pci);
    r->device.cc_major = d->cc_major;
    r->device.cc_minor = d->cc_minor;
    r->device.sms = d->sms;
    r->device.memory_bytes = d->memory_bytes;
    r->device.l2_bytes = d->l2_bytes;
    return RUNNER_OK;
}

/* A program that ends before its first word: its loader's message says why. */
static void explain_start(struct runner *r, struct runner_failure *f)
{
    char line[256] = "";
    FILE *file = fopen(r->output_path, "r");

    if (file && fgets(line, sizeof line, file)) {
        char clean[256];
        line[strcspn(line, "\n")] = '\0';
        copy_text(clean, sizeof clean, line);
        runner_describe(f, "the runner did not start: %s", clean);
    } else {
        runner_describe(f, "the runner did not start (exit code %d)",
                        f->exit_code);
    }
    if (file)
        fclose(file);
}

static struct runner *begin(const struct runner_config *config, bool keeps,
                            struct runner_failure *failure)
{
    struct wire_hello hello = {config->simulated, keeps};
    struct runner *r = calloc(1, sizeof *r);

    *failure = (struct runner_failure){0};
    if (!r) {
        runner_describe(failure, "out of memory");
        return NULL;
    }
    r->channel = r->memory = -1;
    r->seconds = config->seconds;
    snprintf(r->output_path, sizeof r->output_path, "%s",
             config->output_path ? config->output_path : "/dev/null");
    r->memory = memfd_create("warpbook-arrays", MFD_CLOEXEC);
    if (r->memory >= 0)
        r->pid = runner_spawn(config, r->memory, &r->channel);
    if (r->memory < 0 || r->pid < 0) {
        runner_describe(failure, "cannot start %s: %s", config->program,
                               strerror(errno));
        runner_stop(r);
        return NULL;
    }
    if (ask(r, WIRE_HELLO, &hello, sizeof hello, failure) == RUNNER_OK)
        return r;
    runner_stop(r);
    return NULL;
}

/* Both greet before a stage is loaded, so that none can look into the keeper
 * before it has closed itself. */
struct runner *runner_begin(const struct runner_config *config,
                            struct runner_failure *failure)
{
    struct runner_config keeper_config = *config;
    struct runner *r = begin(config, false, failure);

    if (!r || !config->kept)
        return r;
    keeper_config.output_path = NULL;
    r->keeper = begin(&keeper_config, true, failure);
    if (r->keeper)
        return r;
    runner_stop(r);
    return NULL;
}

struct runner *runner_greet(struct runner *r, struct runner_failure *failure)
{
    enum runner_status status = RUNNER_OK;

    if (r->keeper)
        status = hear_hello(r->keeper, failure);
    if (status == RUNNER_OK)
        status = hear_hello(r, failure);
    if (status == RUNNER_OK)
        return r;
    if (status == RUNNER_EXITED)
        explain_start(r, failure);
    runner_stop(r);
    return NULL;
}

struct runner *runner_start(const struct runner_config *config,
                            struct runner_failure *failure)
{
    struct runner *r = runner_begin(config, failure);

    return r ? runner_greet(r, failure) : NULL;
}

void runner_stop(struct runner *r)
{
    if (!r)
        return;
    runner_stop(r->keeper);
    end(r);
    if (r->channel >= 0)
        close(r->channel);
    if (r->memory >= 0)
        close(r->memory);
    free(r);
}

const char *runner_output(const struct runner *r)
{
    return r->output_path;
}

const struct runner_device *runner_device(const struct runner *r)
{
    return &r->device;
}

static bool layout_is_plausible(const struct runner *r,
                                const struct wire_layout *l)
{
    for (int i = 0; i < r->op->n_buffers; i++)
        if (l->bytes[i] != op_bytes(r->op, i, &r->shape))
            return false;
    return true;
}

enum runner_status runner_load(struct runner *r, const struct runner_case *c,
                               struct runner_layout *layout,
                               struct runner_failure *failure)
{
    struct wire_load ask = {0};
    enum runner_status status;

    r->op = c->op;
    r->shape = c->shape;
    r->off = c->off;
    ask.off = c->off;
    ask.kept = r->keeper != NULL;
    snprintf(ask.op, sizeof ask.op, "%s", c->op->name);
    memcpy(ask.dim, c->shape.dim, sizeof ask.dim);
    memcpy(ask.ld, c->shape.ld, sizeof ask.ld);
    if (!realpath(c->stage, ask.stage)) { /* dlopen searches a bare name */
        *failure = (struct runner_failure){0};
        runner_describe(failure, "%s: %s", c->stage, strerror(errno));
        return RUNNER_SYMBOL;
    }
    status = runner_call(r, WIRE_LOAD, &ask, sizeof ask, failure);
    if (status != RUNNER_OK)
        return status;
    const struct wire_layout *l = &runner_reply(r)->u.layout;
    if (!layout_is_plausible(r, l))
        return runner_refuse(r, failure);
    memcpy(layout->address, l->address, sizeof layout->address);
    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        layout->bytes[i] = l->bytes[i];
    layout->workspace = l->workspace;
    layout->workspace_bytes = l->workspace_bytes;
    r->layout = *layout;
    return r->keeper ? keeper_load(r, failure) : RUNNER_OK;
}

bool runner_holds(const struct runner *r, const struct op *op,
                  const struct op_shape *shape)
{
    return r->op == op && !r->off &&
           memcmp(&r->shape, shape, sizeof *shape) == 0;
}

enum runner_status runner_launch(struct runner *r,
                                 struct runner_failure *failure)
{
    return r->keeper ? keeper_run(r, 1, false, NULL, failure)
                     : runner_call(r, WIRE_LAUNCH, NULL, 0, failure);
}

enum runner_status runner_time(struct runner *r, bool events, int n,
                               double *seconds, double *wall,
                               struct runner_failure *failure)
{
    struct wire_batch ask = {(uint32_t)n, events};
    double began = wire_now();
    bool kept = r->keeper && events;
    enum runner_status status =
        kept ? keeper_time(r, n, seconds, failure)
             : runner_call(r, WIRE_TIME, &ask, sizeof ask, failure);
    const struct wire_samples *samples = &runner_reply(r)->u.samples;

    *wall = wire_now() - began;
    if (status != RUNNER_OK || !events || kept)
        return status;
    if (samples->n != ask.samples)
        return runner_refuse(r, failure);
    for (int i = 0; i < n; i++)
        seconds[i] = samples->seconds[i];
    return RUNNER_OK;
}
