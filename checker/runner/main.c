// SPDX-License-Identifier: MIT
/*
 * main.c: the runner, an untrusted process that loads one stage.
 *
 *   runner       uses descriptors 3, 4 (and 5) of check; see wire.h
 *
 * It answers one request at a time and ends when the channel closes. check sets
 * limits on memory, processes and files before it starts the runner.
 */
#include "runner.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Which libcudart did the dynamic linker choose? Ours exports a marker. */
static bool is_simulated(void)
{
    return dlsym(RTLD_DEFAULT, "simgpu_is_simulated") != NULL;
}

static bool hello(struct runner *r, const struct wire_hello *ask,
                  struct wire_reply *reply)
{
    if (is_simulated() != (ask->simulated != 0))
        return runner_fail(reply, WIRE_REFUSED,
                           "the runner found %s libcudart, not %s",
                           is_simulated() ? "the simulated" : "NVIDIA's",
                           ask->simulated ? "the simulated one" : "NVIDIA's");
    r->simulated = ask->simulated != 0;
    if (ask->keeper)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return device_open(r, reply);
}

/* Where another process keeps the arrays, only their sizes are known here. */
static bool describe_kept(struct runner *r, struct wire_reply *reply)
{
    struct wire_layout *layout = &reply->u.layout;

    keep_lay_out(r);
    for (int i = 0; i < r->op->n_buffers; i++)
        layout->bytes[i] = r->kept.bytes[i];
    layout->workspace_bytes = r->kept.bytes[r->op->n_buffers];
    return true;
}

static bool load(struct runner *r, struct wire_load *ask,
                 struct wire_reply *reply)
{
    ask->stage[sizeof ask->stage - 1] = '\0';
    if (!r->stream)
        return runner_fail(reply, WIRE_REFUSED, "a stage before the device");
    buffers_free(r);
    return runner_set_case(r, ask->op, ask->dim, ask->ld, reply) &&
           stage_load(&r->stage, r->op, ask->stage, reply) &&
           (ask->kept ? describe_kept(r, reply)
                      : buffers_allocate(r, ask->off, reply));
}

static bool launch(struct runner *r, struct wire_reply *reply)
{
    return stage_launch(r, reply) && stage_wait(r, reply);
}

static bool upload(struct runner *r, const struct wire_upload *ask,
                   struct wire_reply *reply)
{
    int sealed = -1;
    bool ok;

    if (ask->follows &&
        wire_receive_file(WIRE_FD_CHANNEL, -1, &sealed) != WIRE_OK)
        return runner_fail(reply, WIRE_REFUSED, "no file of inputs followed");
    ok = buffers_upload(r, ask, sealed, reply);
    if (sealed >= 0)
        close(sealed);
    return ok;
}

/* The bytes of payload that each request must have. */
static const size_t request_bytes[WIRE_REPLY] = {
    [WIRE_HELLO] = sizeof(struct wire_hello),
    [WIRE_LOAD] = sizeof(struct wire_load),
    [WIRE_UPLOAD] = sizeof(struct wire_upload),
    [WIRE_TIME] = sizeof(struct wire_batch),
    [WIRE_KEEP] = sizeof(struct wire_keep),
    [WIRE_SOURCE] = sizeof(struct wire_source),
    [WIRE_RENEW] = sizeof(struct wire_renew),
    [WIRE_COLLECT] = sizeof(struct wire_collect),
    [WIRE_RUN] = sizeof(struct wire_run),
};

/* Whether what must come first has come. */
static bool is_in_order(const struct runner *r, int type)
{
    switch (type) {
    case WIRE_HELLO:
    case WIRE_LOAD:
        return true;
    case WIRE_KEEP:
        return r->stream && !r->stage.handle;
    case WIRE_SOURCE:
    case WIRE_RENEW:
    case WIRE_COLLECT:
        return r->kept.stride > 0 && !r->stage.handle;
    case WIRE_RUN:
    case WIRE_RELEASE:
        return r->kept.stride > 0 && r->stage.launcher;
    default:
        return r->op && r->buffers[0].at;
    }
}

static void serve(struct runner *r, struct wire_frame *frame,
                  struct wire_reply *reply)
{
    void *payload = frame->payload;

    if (frame->type < WIRE_HELLO || frame->type >= WIRE_REPLY ||
        frame->length != request_bytes[frame->type]) {
        runner_fail(reply, WIRE_REFUSED, "not a request: type %d, %u bytes",
                    frame->type, frame->length);
        return;
    }
    if (!is_in_order(r, frame->type)) {
        runner_fail(reply, WIRE_REFUSED, "a request before a stage was loaded");
        return;
    }
    switch (frame->type) {
    case WIRE_HELLO:
        hello(r, payload, reply);
        break;
    case WIRE_LOAD:
        load(r, payload, reply);
        break;
    case WIRE_UPLOAD:
        upload(r, payload, reply);
        break;
    case WIRE_LAUNCH:
        launch(r, reply);
        break;
    case WIRE_DOWNLOAD:
        buffers_download(r, reply);
        break;
    case WIRE_TIME:
        batch_run(r, payload, reply);
        break;
    case WIRE_KEEP:
        keep_open(r, payload, reply);
        break;
    case WIRE_SOURCE:
        keep_source(r, payload, reply);
        break;
    case WIRE_RENEW:
        keep_renew(r, payload, reply);
        break;
    case WIRE_COLLECT:
        keep_collect(r, payload, reply);
        break;
    case WIRE_RUN:
        keep_run(r, payload, reply);
        break;
    case WIRE_RELEASE:
        keep_release(r, reply);
        break;
    }
}

int main(void)
{
    static struct runner runner = {.memory_fd = WIRE_FD_MEMORY};
    static struct wire_frame frame;
    static struct wire_reply reply;

    signal(SIGXFSZ, SIG_IGN); /* too much output: lost, not fatal */
    while (wire_receive(WIRE_FD_CHANNEL, -1, &frame) == WIRE_OK) {
        memset(&reply, 0, sizeof reply);
        serve(&runner, &frame, &reply);
        fflush(NULL); /* the stage's output must be in its file by now */
        if (wire_send(WIRE_FD_CHANNEL, WIRE_REPLY, frame.token, &reply,
                      sizeof reply) != WIRE_OK)
            break;
    }
    _exit(0); /* skips the stage's destructors, which could run for ever */
}
