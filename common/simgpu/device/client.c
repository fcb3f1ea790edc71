// SPDX-License-Identifier: MIT
/*
 * client.c: translates messages of libcudart into calls of the engine.
 *
 *   dev_open              the device's state
 *   dev_serve             executes one message and answers it
 *   reply_*               see reply.h
 *
 * The client is not trusted: the handler of a message, or the engine, checks
 * every index, size and name in it. The one hard idea: a launch is answered
 * before it runs, so that the program continues as it would with a GPU; its
 * next request waits in the socket until the kernel has ended, or pauses
 * (queue.c).
 */
#include "queue.h"

#include <driver_types.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool dev_open(struct device *dev, const struct engine_config *config)
{
    *dev = (struct device){.config = *config,
                           .engine = engine_open(config)};
    return dev->engine != NULL;
}

void reply_fail(struct reply *reply, int error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(reply->message, sizeof reply->message, format, args);
    va_end(args);
    reply->head.error = error;
    reply->head.data = strlen(reply->message);
    reply->data = reply->message;
}

void reply_full(struct reply *reply)
{
    reply_fail(reply, cudaErrorMemoryAllocation,
               "this machine's memory is full");
}

void reply_begin(struct device *dev, const struct simwire_header *m,
                 const char *what)
{
    engine_work(dev->engine, m->stream & ~SIMWIRE_WAITED, what,
                m->stream & SIMWIRE_WAITED);
}

bool reply_name(const struct simwire_header *m, const uint8_t *data,
                char name[SIMWIRE_MAX_NAME])
{
    if (m->data == 0 || m->data >= SIMWIRE_MAX_NAME)
        return false;
    memcpy(name, data, m->data);
    name[m->data] = '\0';
    return true;
}

static void greet(struct device *dev, const struct simwire_header *m,
                      const uint8_t *data, struct reply *reply)
{
    (void)data;
    struct simwire_hello *hello = calloc(1, sizeof *hello);
    if (m->a[0] && dev->bye) /* what the default stream does may matter */
        engine_streams_apart(dev->engine);
    if (!hello) {
        reply_full(reply);
        return;
    }
    snprintf(hello->gpu, sizeof hello->gpu, "%s", dev->config.gpu->key);
    hello->multiprocessors = dev->config.gpu->sms;
    reply->data = reply->owned = hello;
    reply->head.data = sizeof *hello;
}

/* dev_serve sends what kernels printed. */
static void wait(struct device *dev, const struct simwire_header *m,
                 const uint8_t *data, struct reply *reply)
{
    (void)data, (void)reply;
    if (m->a[0])
        engine_wait(dev->engine, STREAM_HOST, m->a[0] - 1);
    else
        engine_sync(dev->engine, m->stream);
}

static void stream_waits(struct device *dev, const struct simwire_header *m,
                         const uint8_t *data, struct reply *reply)
{
    (void)data, (void)reply;
    engine_wait(dev->engine, m->stream, m->a[0]);
}

static void note_stream(struct device *dev, const struct simwire_header *m,
                        const uint8_t *data, struct reply *reply)
{
    (void)data, (void)reply;
    if (m->a[0])
        engine_stream(dev->engine, m->stream, m->a[0] == 1);
    else
        engine_stream_gone(dev->engine, m->stream);
    if ((m->stream & UINT32_MAX) == SIMWIRE_PER_THREAD)
        engine_streams_apart(dev->engine); /* per-thread streams appear late */
}

static void record_time(struct device *dev, const struct simwire_header *m,
                     const uint8_t *data, struct reply *reply)
{
    (void)data;
    struct timespec now;
    if (m->a[0] && m->a[1]) {
        uint64_t event = m->a[0] - 1;
        reply->head.a[0] = event < dev->n_times ? dev->times[event] : 0;
        return;
    }
    if (m->a[0])
        engine_record(dev->engine, m->stream, m->a[0] - 1);
    clock_gettime(CLOCK_MONOTONIC, &now);
    reply->head.a[0] =
        (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    if (m->a[0] && m->a[0] <= dev->n_times) /* it was queued */
        dev_set_time(dev, m->a[0] - 1, reply->head.a[0]);
}

void dev_set_time(struct device *dev, uint64_t event, uint64_t ns)
{
    enum { MOST = 1 << 20 }; /* events; the times of others stay unknown */
    if (event >= MOST)
        return;
    if (event >= dev->n_times) {
        size_t n = event + 64;
        uint64_t *grown = realloc(dev->times, n * sizeof *grown);
        if (!grown)
            abort();
        memset(grown + dev->n_times, 0, (n - dev->n_times) * sizeof *grown);
        dev->times = grown;
        dev->n_times = n;
    }
    dev->times[event] = ns;
}

/* A host function's turn has come: its thread follows the stream. */
static void host_turn(struct device *dev, const struct simwire_header *m,
                      const uint8_t *data, struct reply *reply)
{
    (void)data, (void)reply;
    engine_sync(dev->engine, m->stream);
}

static void reset(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    (void)m, (void)data, (void)reply;
    const struct allocation *list;
    for (size_t i = 0; i < engine_allocations(dev->engine, &list); i++)
        if (list[i].live && !list[i].module)
            engine_free(dev->engine, list[i].address);
    engine_sync(dev->engine, STREAM_HOST);
    dev->fault = 0;
}

/* What stands behind a text's NUL; end: nothing. */
static const char *behind(const char *text, const char *end)
{
    size_t n = strlen(text) + 1;
    return n < (size_t)(end - text) ? text + n : end;
}

/* What stands behind a note's detail: where it was made. */
static const char *place_of(const char *detail, const char *end)
{
    return detail < end ? behind(detail, end) : end;
}

static void take_callers(struct dev_api_error *e, const char *detail,
                         const char *end)
{
    const char *caller = place_of(detail, end);
    const char *other = caller < end ? behind(caller, end) : end;
    e->caller = strdup(caller);
    e->other = strdup(other);
}

/* The launch that was refused last, by whom. */
static void note_refused(struct dev_log *log, const char *detail,
                         const char *end)
{
    struct dev_launch *l =
        log->n_launches ? &log->launches[log->n_launches - 1] : NULL;
    if (l && l->error && !l->caller)
        l->caller = strdup(place_of(detail, end));
}

/* The copy or memset that was accused last, by whom. */
static void note_accused(struct dev_log *log, const char *caller)
{
    struct dev_api_error *e =
        log->n_api_errors ? &log->api_errors[log->n_api_errors - 1] : NULL;
    if (e && e->accuses && !e->caller)
        e->caller = strdup(caller);
}

/* data: the call's name, NUL, the detail, NUL, where it was made. */
static void note(struct device *dev, const struct simwire_header *m,
                 const uint8_t *data, struct reply *reply)
{
    (void)reply;
    char text[SIMWIRE_MAX_NAME];
    if (!reply_name(m, data, text))
        return;
    const char *detail = behind(text, text + m->data); /* text ends in NUL */
    if (m->a[0] == SIMWIRE_WAITS)
        dev_queue_told(dev, text, m->a[1], m->a[2] == 1);
    else if (m->a[0] == SIMWIRE_REFUSED)
        note_refused(&dev->log, detail, text + m->data);
    else if (m->a[0] == SIMWIRE_ASKED)
        dev_log_asked(&dev->log, m->a[2], (int)m->a[1]);
    else if (m->a[0] == SIMWIRE_CALLED)
        note_accused(&dev->log, place_of(detail, text + m->data));
    else if (m->a[0] == SIMWIRE_ALLOCATED || m->a[0] == SIMWIRE_FREED)
        dev_origin_add(&dev->origins, m->a[1], m->a[0] == SIMWIRE_FREED,
                       place_of(detail, text + m->data));
    else {
        dev_log_api_error(&dev->log, text, (int)m->a[1],
                          detail, m->a[2], m->a[0] == SIMWIRE_ACCUSED);
        struct dev_api_error *e =
            &dev->log.api_errors[dev->log.n_api_errors - 1];
        e->from = m->a[3];
        take_callers(e, detail, text + m->data);
    }
}

static void bye(struct device *dev, const struct simwire_header *m,
                    const uint8_t *data, struct reply *reply)
{
    (void)m, (void)data, (void)reply;
    if (dev->bye)
        dev->bye(dev);
}

/* waits: the call reports faults and printf's output, as on a GPU. silent: it
 * is not answered. */
static const struct operation {
    reply_to *serve;
    bool waits, silent;
} operations[N_SIMWIRE_OPS] = {
    [OP_HELLO] = {.serve = greet},
    [OP_LOAD] = {.serve = reply_load},
    [OP_KERNEL] = {.serve = reply_kernel},
    [OP_SYMBOL] = {.serve = reply_symbol},
    [OP_ALLOC] = {.serve = reply_alloc, .waits = true},
    [OP_ALLOC_MAPPED] = {.serve = reply_alloc_mapped, .waits = true},
    [OP_MAP] = {.serve = reply_map},
    [OP_FREE] = {.serve = reply_free, .waits = true},
    [OP_WRITE] = {.serve = reply_write, .waits = true},
    [OP_READ] = {.serve = reply_read, .waits = true},
    [OP_COPY] = {.serve = reply_copy, .waits = true},
    [OP_FILL] = {.serve = reply_fill, .waits = true},
    [OP_LOCATE] = {.serve = reply_locate},
    [OP_LAUNCH] = {.serve = reply_launch},
    [OP_DYNAMIC_SHARED] = {.serve = reply_dynamic_shared, .waits = true},
    [OP_SYNC] = {.serve = wait, .waits = true},
    [OP_WAIT] = {.serve = stream_waits},
    [OP_STREAM] = {.serve = note_stream},
    [OP_TIME] = {.serve = record_time, .waits = true},
    [OP_HEAP] = {.serve = reply_heap, .waits = true},
    [OP_MEMORY] = {.serve = reply_memory, .waits = true},
    [OP_RESET] = {.serve = reset},
    [OP_NOTE] = {.serve = note, .silent = true},
    [OP_HOST] = {.serve = host_turn, .waits = true},
    [OP_BYE] = {.serve = bye},
};

int dev_do(struct device *dev, const struct simwire_header *m,
           const uint8_t *data)
{
    struct reply reply = {.head = {.op = m->op}};
    if (!dev->fault)
        operations[m->op].serve(dev, m, data, &reply);
    free(reply.owned);
    return reply.head.error;
}

bool dev_serve(struct device *dev, int fd, struct simwire_header *message,
               const uint8_t *data)
{
    const struct operation *op = &operations[message->op];
    struct reply reply = {.head = {.op = message->op}};
    bool collects = op->waits || message->op == OP_RESET;
    enum dev_turn turn =
        dev->bye ? dev_queue_take(dev, message, data, &reply) : DEV_NOW;
    dev->log.calls[message->op] += turn != DEV_AGAIN;
    if (turn == DEV_AGAIN)
        reply.head.error = SIMWIRE_AGAIN;
    else if (turn == DEV_NOW && op->waits && dev->fault)
        reply.head.error = dev->fault;
    else if (turn == DEV_NOW)
        op->serve(dev, message, data, &reply);
    if (op->silent)
        return true;
    collects &= turn == DEV_NOW;
    reply.head.sticky = dev->fault != 0;
    if (collects) {
        reply.text = dev->text;
        reply.head.text = dev->text_bytes;
    }
    bool sent = simwire_send(fd, &reply.head, reply.text, reply.data) &&
                (!reply.descriptor || simwire_send_fd(fd, reply.descriptor));
    free(reply.owned);
    if (collects) {
        dev->text_bytes = 0;
        dev->text_full = false;
    }
    return sent;
}
