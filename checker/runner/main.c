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
    return device_open(r, reply);
}

static bool load(struct runner *r, struct wire_load *ask,
                 struct wire_reply *reply)
{
    struct op_shape shape;

    ask->op[sizeof ask->op - 1] = '\0';
    ask->stage[sizeof ask->stage - 1] = '\0';
    if (!r->stream)
        return runner_fail(reply, WIRE_REFUSED, "a stage before the device");
    buffers_free(r);
    r->op = op_find(ask->op);
    if (!r->op)
        return runner_fail(reply, WIRE_REFUSED, "no operator %s", ask->op);
    if (op_defect(r->op))
        return runner_fail(reply, WIRE_REFUSED, "operator %s: %s", ask->op,
                           op_defect(r->op));
    memcpy(shape.dim, ask->dim, sizeof shape.dim);
    memcpy(shape.ld, ask->ld, sizeof shape.ld);
    if (op_shape_error(r->op, &shape))
        return runner_fail(reply, WIRE_REFUSED, "%s",
                           op_shape_error(r->op, &shape));
    r->problem = op_timed(r->op, &shape, 0); /* scalars: until an upload */
    return stage_load(&r->stage, r->op, ask->stage, reply) &&
           buffers_allocate(r, reply);
}

static bool launch(struct runner *r, struct wire_reply *reply)
{
    return stage_launch(r, reply) && stage_wait(r, reply);
}

/* The bytes of payload that each request must have. */
static const size_t request_bytes[WIRE_REPLY] = {
    [WIRE_HELLO] = sizeof(struct wire_hello),
    [WIRE_LOAD] = sizeof(struct wire_load),
    [WIRE_UPLOAD] = sizeof(struct wire_upload),
    [WIRE_TIME] = sizeof(struct wire_batch),
};

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
    if (frame->type > WIRE_LOAD && (!r->op || !r->buffers[0].at)) {
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
        buffers_upload(r, payload, reply);
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
